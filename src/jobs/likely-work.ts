import { join } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { LOG_SUFFIX } from '../format/names.js';

/** Below this many bytes in all, starting a worker costs more than it saves. */
export const WORTH_A_WORKER_BYTES = 32 * 1024 * 1024;
/** A file is never shared. */
const WORTH_A_WORKER_FILES = 2;

/** Commands that share their work out. */
const SHARING = new Set(['inspect', 'compare', 'recover', 'settle']);
/** A 1 that is another option's value is taken for it too: then no thread starts ahead. */
const ONE_JOB = /^(--jobs=|-j)?1$/;
/** Files and directories that are looked at before giving up. */
const MOST_LOOKS = 64;

/**
 * Whether a command line most likely names enough work for a worker thread: a quick look, before anything is
 * loaded that could tell for sure.
 */
export function isLikelyLarge(disk: Disk, [command = '', ...words]: readonly string[]): boolean {
  if (!SHARING.has(command) || words.some((word) => ONE_JOB.test(word))) return false;
  // What is not there, such as an option, counts nothing. A node's root stands behind its name.
  const stack = words.map((word) => word.slice(word.indexOf('=') + 1)).reverse();
  let files = 0;
  let bytes = 0;
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const path = stack.pop();
    if (path === undefined) return false;
    const size = look(disk, path, stack);
    if (size === null) continue;
    files++;
    bytes += size;
    if (files >= WORTH_A_WORKER_FILES && bytes >= WORTH_A_WORKER_BYTES) return true;
  }
  return false;
}

/** Size of a log file; what a directory holds is put on the stack instead. */
function look(disk: Disk, path: string, stack: string[]): number | null {
  try {
    const { kind, size } = disk.stat(path);
    if (kind === 'file') return path.endsWith(LOG_SUFFIX) ? size : null;
    if (kind !== 'directory') return null;
    for (const { name, kind } of disk.readDirectory(path)) {
      if (kind === 'directory' || name.endsWith(LOG_SUFFIX)) stack.push(join(path, name));
    }
  } catch {
    // Whatever it is, the command itself will tell.
  }
  return null;
}
