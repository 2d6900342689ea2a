import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes a file of so many zeros, and its directory; a hole takes no space. @returns its path. */
export function blankFile(path: string, bytes: number): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
  truncateSync(path, bytes);
  return path;
}
