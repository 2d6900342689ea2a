import { dirname, join, resolve } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { isMissing, isThere } from '../disk/durable.js';
import { InvalidInputError, RefusedError, StorageError } from '../errors.js';
import { FORMAT_MARKER } from '../format/names.js';

/**
 * Where the quarantine is, with every link resolved. Creates nothing.
 *
 * @param path as given; it need not be there, nor need its parents.
 * @param logRoots those that this run works on.
 * @throws RefusedError `EINSIDE` if it lies in a log root, these or another: a node deletes directories in
 *   its log root that it does not know.
 * @throws InvalidInputError if something that is no directory stands there.
 */
export function resolveQuarantine(disk: Disk, path: string, logRoots: readonly string[]): string {
  const roots = new Set(logRoots.map((root) => disk.stat(root).identity));
  const missing: string[] = [];
  let existing = resolve(path);
  while (!isThere(disk, existing)) {
    missing.unshift(existing);
    existing = dirname(existing);
  }
  const real = realDirectory(disk, existing);
  for (let at = real; ; at = dirname(at)) {
    if (roots.has(disk.stat(at).identity) || isThere(disk, join(at, FORMAT_MARKER))) {
      throw new RefusedError(
        'EINSIDE',
        `${path}: refused as a quarantine, it lies inside the log root ${at}, where a node deletes what it ` +
          'does not know: give another place with --quarantine DIR',
      );
    }
    if (dirname(at) === at) break;
  }
  const names = missing.map((parent) => parent.slice(dirname(parent).length));
  return join(real, ...names);
}

function realDirectory(disk: Disk, path: string): string {
  try {
    const real = disk.realPath(path);
    if (disk.stat(real).kind === 'directory') return real;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  throw new InvalidInputError(`${path}: expected a directory for the quarantine`, 'ENOTDIR');
}

/** Makes the quarantine's directory and its parents, all of them durable. */
export function makeQuarantine(disk: Disk, path: string): void {
  if (isThere(disk, path)) return;
  const parent = dirname(path);
  makeQuarantine(disk, parent);
  try {
    disk.makeDirectory(path);
  } catch (error) {
    // Another run, on another log root, may have made it just now.
    if (!(error instanceof StorageError) || error.code !== 'EEXIST') throw error;
  }
  disk.syncDirectory(parent);
}
