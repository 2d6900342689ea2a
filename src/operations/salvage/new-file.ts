import { basename, dirname, join } from 'node:path';
import type { Disk } from '../../disk/disk.js';
import { removeIfThere, writeFully } from '../../disk/durable.js';
import { answersSignals } from '../../disk/process-identity.js';
import { RefusedError, StorageError } from '../../errors.js';
import type { OutputPlace } from './output-place.js';

const BATCH_BYTES = 1024 * 1024;
/** Followed by the number of the process that writes it. */
const PARTIAL_SUFFIX = '.malachi-part.';

/**
 * A file that appears under its name once it is whole and durable, or not at all. Whoever opens one calls
 * `finish` or `discard`.
 */
export class NewFile {
  readonly #disk: Disk;
  readonly #place: OutputPlace;
  readonly #partial: string;
  readonly #fd: number;
  readonly #batch = Buffer.alloc(BATCH_BYTES);
  #batched = 0;
  #position = 0;
  #isOpen = true;

  /** Removes what runs that were killed have left of the same file. @throws StorageError */
  constructor(disk: Disk, place: OutputPlace) {
    this.#disk = disk;
    this.#place = place;
    this.#partial = `${place.path}${PARTIAL_SUFFIX}${process.pid}`;
    if (place.makesDirectory) disk.makeDirectory(dirname(place.path));
    try {
      removeDeadParts(disk, place.path);
      this.#fd = disk.open(this.#partial, 'create');
    } catch (error) {
      this.#removeDirectory();
      throw error;
    }
  }

  write(bytes: Uint8Array): void {
    if (this.#batched + bytes.length > BATCH_BYTES) this.#flush();
    if (bytes.length > BATCH_BYTES) {
      writeFully(this.#disk, this.#fd, bytes, this.#position);
      this.#position += bytes.length;
      return;
    }
    this.#batch.set(bytes, this.#batched);
    this.#batched += bytes.length;
  }

  /** @throws RefusedError `EEXIST` if the name was taken meanwhile; the file is then discarded. */
  finish(): void {
    const disk = this.#disk;
    const { path, makesDirectory } = this.#place;
    this.#flush();
    disk.sync(this.#fd);
    this.#close();
    // Taking the name first, which fails if it is there, keeps the rename from replacing a file.
    try {
      disk.close(disk.open(path, 'create'));
    } catch (error) {
      throw isTaken(error) ? new RefusedError('EEXIST', `${path}: taken meanwhile`) : error;
    }
    try {
      disk.rename(this.#partial, path);
    } catch (error) {
      removeIfThere(disk, path);
      throw error;
    }
    disk.syncDirectory(dirname(path));
    if (makesDirectory) disk.syncDirectory(dirname(dirname(path)));
  }

  /** Leaves nothing behind. */
  discard(): void {
    this.#close();
    removeIfThere(this.#disk, this.#partial);
    this.#removeDirectory();
  }

  #flush(): void {
    writeFully(this.#disk, this.#fd, this.#batch.subarray(0, this.#batched), this.#position);
    this.#position += this.#batched;
    this.#batched = 0;
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#disk.close(this.#fd);
  }

  #removeDirectory(): void {
    if (!this.#place.makesDirectory) return;
    try {
      this.#disk.removeDirectory(dirname(this.#place.path));
    } catch (error) {
      // Somebody else put something into it.
      if (!(error instanceof StorageError)) throw error;
    }
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof StorageError && error.code === 'EEXIST';
}

function removeDeadParts(disk: Disk, path: string): void {
  const prefix = `${basename(path)}${PARTIAL_SUFFIX}`;
  for (const { name } of disk.readDirectory(dirname(path))) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : NaN;
    // A part of this very number is an earlier process's, for this one has none yet.
    if (pid > 0 && (pid === process.pid || !answersSignals(pid))) {
      removeIfThere(disk, join(dirname(path), name));
    }
  }
}
