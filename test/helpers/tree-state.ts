import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Every path below a directory, with its modification time and the digest of its bytes. */
export function treeState(directory: string): Map<string, string> {
  const state = new Map<string, string>();
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(directory, name);
    const stat = lstatSync(path, { bigint: true });
    const digest = stat.isFile()
      ? createHash('sha256').update(readFileSync(path)).digest('hex')
      : 'directory';
    state.set(name, `${stat.mtimeNs} ${digest}`);
  }
  return state;
}
