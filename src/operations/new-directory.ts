import { randomBytes } from 'node:crypto';
import { basename, dirname, join, resolve } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { attempt, isMissing, isThere } from '../disk/durable.js';
import { removeTree } from '../disk/tree.js';
import { InvalidInputError, RefusedError } from '../errors.js';
import { FORMAT_MARKER } from '../format/names.js';

/**
 * Makes a directory with all that `build` puts into it: under another name first, so that it is there as a
 * whole or not at all.
 *
 * @param path a name that is not taken, or an empty directory's.
 * @param onInterrupt registers what an interrupt has to clean up; its answer takes that back.
 * @throws RefusedError `EEXIST` if something is there, `EINSIDE` if it would lie in a log root.
 * @throws InvalidInputError if there is no directory to put it in; whatever `build` throws.
 */
export async function makeNewDirectory<T>(
  disk: Disk,
  path: string,
  onInterrupt: (cleanUp: () => void) => () => void,
  build: (directory: string) => Promise<T>,
): Promise<T> {
  const target = placeFor(disk, path);
  const temporary = join(dirname(target), `.${basename(target)}.${randomBytes(4).toString('hex')}`);
  disk.makeDirectory(temporary);
  const remove = (): void => removeTree(disk, temporary);
  const release = onInterrupt(() => attempt(remove));
  try {
    const answer = await build(temporary);
    disk.rename(temporary, target);
    disk.syncDirectory(dirname(target));
    return answer;
  } catch (error) {
    if (isThere(disk, temporary)) remove();
    throw error;
  } finally {
    release();
  }
}

function placeFor(disk: Disk, path: string): string {
  const absolute = resolve(path);
  const target = join(realParent(disk, path, dirname(absolute)), basename(absolute));
  for (let at = dirname(target); ; at = dirname(at)) {
    if (isThere(disk, join(at, FORMAT_MARKER))) {
      throw new RefusedError(
        'EINSIDE',
        `${path}: refused, it lies inside the log root ${at}, where a node deletes what it does not know: ` +
          'give a path outside of it',
      );
    }
    if (dirname(at) === at) break;
  }
  if (isThere(disk, target) && !isEmptyDirectory(disk, target)) {
    throw new RefusedError(
      'EEXIST',
      `${path}: refused, it is there and not empty: give a new name`,
    );
  }
  return target;
}

function isEmptyDirectory(disk: Disk, path: string): boolean {
  return disk.lstat(path).kind === 'directory' && disk.readDirectory(path).length === 0;
}

function realParent(disk: Disk, path: string, parent: string): string {
  try {
    const real = disk.realPath(parent);
    if (disk.stat(real).kind === 'directory') return real;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  throw new InvalidInputError(`${path}: expected a directory ${parent} to put it in`, 'ENOENT');
}
