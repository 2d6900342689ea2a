import { join } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { LOG_SUFFIX } from '../format/names.js';

/** Below this many bytes in all, starting a worker costs more than it saves. */
export const WORTH_A_WORKER_BYTES = 32 * 1024 * 1024;

/** Commands that share their work out. */
const SHARING = new Set(['inspect', 'compare', 'recover', 'settle']);
const ONE_JOB = /^(--jobs=|-j=?)?1$/;
/** Files and directories that are looked at before giving up. */
const MOST_LOOKS = 64;

/**
 * Whether a command line most likely names enough work for a worker thread: a quick look, before anything is
 * loaded that could tell for sure.
 */
export function isLikelyLarge(disk: Disk, [command = '', ...words]: readonly string[]): boolean {
  if (!SHARING.has(command) || words.some((word) => ONE_JOB.test(word))) return false;
  // What is not there, such as an option, counts nothing.
  const paths = words.map((word) => word.slice(word.indexOf('=') + 1)).reverse();
  let bytes = 0;
  for (let looks = 0; looks < MOST_LOOKS && bytes < WORTH_A_WORKER_BYTES; looks++) {
    const path = paths.pop();
    if (path === undefined) break;
    bytes += look(disk, path, paths);
  }
  return bytes >= WORTH_A_WORKER_BYTES;
}

/** Size of a file; what a directory holds is put on the stack instead. */
function look(disk: Disk, path: string, stack: string[]): number {
  try {
    const { kind, size } = disk.stat(path);
    if (kind !== 'directory') return size;
    for (const { name, kind } of disk.readDirectory(path)) {
      if (kind === 'directory' || name.endsWith(LOG_SUFFIX)) stack.push(join(path, name));
    }
  } catch {
    // Whatever it is, the command itself will tell.
  }
  return 0;
}
