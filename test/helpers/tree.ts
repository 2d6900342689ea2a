import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Every name below a directory, with a file's bytes (in hexadecimal digits) or a link's target. */
export function readTree(directory: string): Map<string, string> {
  const tree = new Map<string, string>();
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(directory, name);
    const stat = lstatSync(path);
    if (stat.isDirectory()) tree.set(name, 'directory');
    else if (stat.isSymbolicLink()) tree.set(name, `link to ${readlinkSync(path)}`);
    else tree.set(name, readFileSync(path, 'hex'));
  }
  return tree;
}
