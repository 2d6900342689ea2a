import { dirname } from 'node:path';
import { StorageError } from '../errors.js';
import type { Disk } from './disk.js';

/** Writes all the bytes, however short the single writes fall. */
export function writeFully(disk: Disk, fd: number, bytes: Uint8Array, position: number): void {
  let done = 0;
  while (done < bytes.length) {
    const written = disk.write(fd, bytes.subarray(done), position + done);
    if (written === 0)
      throw new StorageError('EIO', `file descriptor ${fd}`, 'a write made no progress');
    done += written;
  }
}

/** Creates a file that was not there, with these bytes, and makes the bytes durable (not yet the name). */
export function createFile(disk: Disk, path: string, bytes: Uint8Array): void {
  fillNewFile(disk, path, (fd) => {
    writeFully(disk, fd, bytes, 0);
  });
}

/** The same for bytes that `fill` writes. The file's owner is its directory's: a node can go on with it. */
function fillNewFile(disk: Disk, path: string, fill: (fd: number) => void): void {
  const fd = disk.open(path, 'create');
  try {
    giveToOwner(disk, fd, dirname(path));
    fill(fd);
    disk.sync(fd);
  } finally {
    disk.close(fd);
  }
}

function giveToOwner(disk: Disk, fd: number, directory: string): void {
  const file = disk.fstat(fd);
  const { ownerId, groupId } = disk.stat(directory);
  if (file.ownerId === ownerId && file.groupId === groupId) return;
  try {
    disk.changeOwner(fd, ownerId, groupId);
  } catch (error) {
    // Only root may give files away; anybody else's are left as they are.
    if (!(error instanceof StorageError) || error.code !== 'EPERM') throw error;
  }
}

/** Ends the name of a file that is to take another's place. */
export const TEMPORARY_SUFFIX = '.malachi-tmp';

/**
 * Puts these bytes in the place of whatever stands at `path`: a crash leaves the old file or the new one,
 * never a mixture. Durable when it returns. A temporary file left by an earlier crash is taken over.
 */
export function replaceFile(disk: Disk, path: string, bytes: Uint8Array): void {
  replaceFileWith(disk, path, (fd) => {
    writeFully(disk, fd, bytes, 0);
  });
}

/** The same for bytes that `fill` writes into the new file. */
export function replaceFileWith(disk: Disk, path: string, fill: (fd: number) => void): void {
  const temporary = `${path}${TEMPORARY_SUFFIX}`;
  removeIfThere(disk, temporary);
  try {
    fillNewFile(disk, temporary, fill);
    disk.rename(temporary, path);
  } catch (error) {
    if (error instanceof StorageError) attempt(() => removeIfThere(disk, temporary));
    throw error;
  }
  disk.syncDirectory(dirname(path));
}

/** Tidies up after an error as far as that is possible: the first error is the one to tell. */
export function attempt(tidyUp: () => void): void {
  try {
    tidyUp();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
  }
}

/** Whether an error says that the name is not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof StorageError && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** @returns whether there was anything to remove. */
export function removeIfThere(disk: Disk, path: string): boolean {
  try {
    disk.unlink(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Whether something stands at `path`; a dangling link does. */
export function isThere(disk: Disk, path: string): boolean {
  try {
    disk.lstat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
