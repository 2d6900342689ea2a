import { join } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { TEMPORARY_SUFFIX, removeIfThere, replaceFile } from '../disk/durable.js';
import { StorageError } from '../errors.js';
import { LOG_SUFFIX } from '../format/names.js';
import type { FileChange } from '../policy/copy-change.js';
import { orderChanges } from '../policy/copy-change.js';

/**
 * Carries out changes to a copy, in the safe order, each durable before the next begins. Running it again
 * after it was cut short comes to the same end.
 *
 * @throws StorageError with the changes before the failing one done.
 */
export function applyChanges(disk: Disk, directory: string, changes: readonly FileChange[]): void {
  removeTemporaries(disk, directory);
  for (const change of orderChanges(changes)) {
    const path = join(directory, change.name);
    switch (change.kind) {
      case 'write':
        replaceFile(disk, path, change.bytes);
        break;
      case 'remove':
        removeIfThere(disk, path);
        // What belongs to a log file goes before it, and one fsync makes all of them durable.
        if (path.endsWith(LOG_SUFFIX)) disk.syncDirectory(directory);
        break;
      case 'cut':
        cutFile(disk, path, change.keepBytes, change.sizeBytes);
        break;
    }
  }
  if (changes.some(({ kind }) => kind === 'remove')) disk.syncDirectory(directory);
}

/** Removes what a run that was cut short has left of a file that was to take another's place. */
export function removeTemporaries(disk: Disk, directory: string): void {
  for (const { name, kind } of disk.readDirectory(directory)) {
    if (name.endsWith(TEMPORARY_SUFFIX) && kind === 'file') disk.unlink(join(directory, name));
  }
}

function cutFile(disk: Disk, path: string, keepBytes: number, sizeBytes: number): void {
  const fd = disk.open(path, 'write');
  try {
    const { size } = disk.fstat(fd);
    if (size < keepBytes) {
      throw new StorageError('ECHANGED', path, `${path} became shorter than ${keepBytes} bytes`);
    }
    if (size > keepBytes) disk.truncate(fd, keepBytes);
    if (sizeBytes > keepBytes) disk.truncate(fd, sizeBytes);
    disk.sync(fd);
  } finally {
    disk.close(fd);
  }
}
