import { basename, dirname, join, resolve } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { isThere } from '../disk/durable.js';
import { RefusedError } from '../errors.js';
import { RESTORING_MARKER, SETTLING_MARKER } from '../format/names.js';
import type { PresentFile } from './copy-directory.js';
import { isSameListing, listForChange } from './copy-directory.js';
import type { FileTarget } from './inspect-targets.js';
import { logRootOfCopy } from './log-root.js';

/** Where a copy lies that is to be changed; links resolved, except that of the copy itself. */
export interface CopyPlace {
  readonly directory: string;
  readonly logRoot: string;
  readonly segment: string;
}

/** The place of a file's copy. @throws StorageError */
export function placeOf(disk: Disk, target: FileTarget): CopyPlace {
  const given = dirname(resolve(target.path));
  const directory = join(disk.realPath(dirname(given)), basename(given));
  return { directory, logRoot: logRootOfCopy(directory), segment: target.segment };
}

/** Notes of work that was cut short, and what finishes or undoes it. */
const UNFINISHED = [
  [SETTLING_MARKER, 'a settle of it was cut short: run malachi settle again, or restore its entry'],
  [RESTORING_MARKER, 'a restore of it was cut short: run malachi restore again'],
] as const;

/**
 * The files of a copy that is to be changed.
 *
 * @throws RefusedError `ELINK`, `EBADNAME`, or `EUNFINISHED` where other work was cut short. @throws StorageError
 */
export function listPlace(disk: Disk, { logRoot, directory }: CopyPlace): PresentFile[] {
  const present = listForChange(disk, logRoot, directory);
  for (const [name, reason] of UNFINISHED) {
    if (!isThere(disk, join(directory, name))) continue;
    throw new RefusedError('EUNFINISHED', `${directory}: refused, ${reason}`);
  }
  return present;
}

/** @throws RefusedError `EOUTDATED` if the files of the copy are not those that were listed before. */
export function requireUnchanged(disk: Disk, place: CopyPlace, then: readonly PresentFile[]): void {
  if (isSameListing(then, listPlace(disk, place))) return;
  const reason = 'the copy was changed while it was looked at';
  throw new RefusedError('EOUTDATED', `${place.directory}: refused, ${reason}`);
}
