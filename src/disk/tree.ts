import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorageError } from '../errors.js';
import type { Disk } from './disk.js';
import { writeFully } from './durable.js';
import { withFile } from './file-source.js';

/** Makes a directory of its own below the system's directory for temporary files. */
export function makeTemporaryDirectory(disk: Disk): string {
  for (;;) {
    const path = join(tmpdir(), `malachi-${randomBytes(6).toString('hex')}`);
    try {
      disk.makeDirectory(path);
      return path;
    } catch (error) {
      if (!(error instanceof StorageError && error.code === 'EEXIST')) throw error;
    }
  }
}

/** Makes a directory and those above it, as far as they are missing. */
export function makeDirectories(disk: Disk, path: string): void {
  try {
    disk.makeDirectory(path);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    if (error.code === 'ENOENT') {
      makeDirectories(disk, join(path, '..'));
      disk.makeDirectory(path);
    } else if (error.code !== 'EEXIST' || disk.stat(path).kind !== 'directory') {
      throw error;
    }
  }
}

/**
 * Copies a file, or a directory with all that is in it, to a name that is not taken. A link becomes a copy
 * of the file that it leads to. Nothing is made durable.
 *
 * @throws StorageError `ENOTREG` for what is neither: a device, or a link to a directory.
 */
export function copyTree(disk: Disk, from: string, to: string): void {
  if (disk.lstat(from).kind !== 'directory') {
    copyFile(disk, from, to);
    return;
  }
  disk.makeDirectory(to);
  for (const { name, utf8 } of disk.readDirectory(from)) {
    const source = join(from, name);
    if (!utf8) throw new StorageError('EBADNAME', source, `${source}: expected a name in UTF-8`);
    copyTree(disk, source, join(to, name));
  }
}

const PIECE_BYTES = 1024 * 1024;

function copyFile(disk: Disk, from: string, to: string): void {
  withFile(disk, from, (source) => {
    const fd = disk.open(to, 'create');
    try {
      for (let at = 0; at < source.size; at += PIECE_BYTES) {
        const piece = Buffer.alloc(Math.min(PIECE_BYTES, source.size - at));
        source.readInto(piece, at);
        writeFully(disk, fd, piece, at);
      }
    } finally {
      disk.close(fd);
    }
  });
}

/** Removes a file, a link, or a directory with all that is in it. */
export function removeTree(disk: Disk, path: string): void {
  if (disk.lstat(path).kind !== 'directory') {
    disk.unlink(path);
    return;
  }
  for (const { name } of disk.readDirectory(path)) removeTree(disk, join(path, name));
  disk.removeDirectory(path);
}
