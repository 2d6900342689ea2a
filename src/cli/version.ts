import { fileURLToPath } from 'node:url';
import type { Disk } from '../disk/disk.js';
import { readSmallFile } from '../disk/file-source.js';

/** The version that the package says it has. */
export function packageVersion(disk: Disk): string {
  const path = fileURLToPath(new URL('../../package.json', import.meta.url));
  const manifest: unknown = JSON.parse(readSmallFile(disk, path, 1 << 20).toString('utf8'));
  return (manifest as { version: string }).version;
}
