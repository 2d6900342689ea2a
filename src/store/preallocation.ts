import type { Disk } from '../disk/disk.js';
import { writeFully } from '../disk/durable.js';
import { StorageError } from '../errors.js';

const zeros = Buffer.alloc(1024 * 1024);

/** Overwrites `[from, to)` with zeros. @throws StorageError */
export function writeZeros(disk: Disk, fd: number, from: number, to: number): void {
  for (let at = from; at < to; at += zeros.length) {
    writeFully(disk, fd, zeros.subarray(0, Math.min(zeros.length, to - at)), at);
  }
}

/**
 * Extends a file with zeros, so that appends overwrite blocks that are there instead of growing it. That is
 * an optimization: where it fails, the file is put back to its previous size and goes on without it.
 *
 * @param size the file's size in bytes.
 * @param target the size to reach; smaller ones are nothing to do.
 * @returns whether the file is of the wanted size; false: it is as it was.
 * @throws StorageError if the extension failed and the file cannot be put back: it must not be used.
 */
export function extendOrRestore(disk: Disk, fd: number, size: number, target: number): boolean {
  try {
    writeZeros(disk, fd, size, target);
    return true;
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    disk.truncate(fd, size);
    return false;
  }
}
