import { StorageError } from '../errors.js';
import { DescriptorSource } from './descriptor-source.js';
import type { Disk, FileStat } from './disk.js';

/** A regular file opened for reading, as a source of bytes of the size seen at opening. */
export class FileSource extends DescriptorSource {
  readonly #opened: FileStat;

  private constructor(disk: Disk, path: string, fd: number, opened: FileStat) {
    super(disk, fd, path, opened.size);
    this.#opened = opened;
  }

  /** @throws StorageError if it cannot be opened, or is no regular file (`EISDIR`, `ENOTREG`). */
  static open(disk: Disk, path: string): FileSource {
    const fd = disk.open(path, 'read');
    try {
      const opened = statRegularFile(disk, fd, path);
      return new FileSource(disk, path, fd, opened);
    } catch (error) {
      disk.close(fd);
      throw error;
    }
  }

  /** Whether the file was written to since it was opened, as far as its size and times tell. */
  changed(): boolean {
    const now = this.disk.fstat(this.fd);
    return now.size !== this.#opened.size || now.mtimeNs !== this.#opened.mtimeNs;
  }

  close(): void {
    this.disk.close(this.fd);
  }
}

/** @throws StorageError if the open file is no regular one (`EISDIR`, `ENOTREG`). */
export function statRegularFile(disk: Disk, fd: number, path: string): FileStat {
  const stat = disk.fstat(fd);
  if (stat.kind === 'directory') {
    throw new StorageError('EISDIR', path, `${path} is a directory, expected a regular file`);
  }
  if (stat.kind !== 'file') {
    throw new StorageError('ENOTREG', path, `${path} is no regular file`);
  }
  return stat;
}

/** Opens a file, hands its bytes to `use`, and closes it whatever happens. */
export function withFile<T>(disk: Disk, path: string, use: (source: FileSource) => T): T {
  const source = FileSource.open(disk, path);
  try {
    return use(source);
  } finally {
    source.close();
  }
}

/** As `withFile`, for work done in steps; the file is closed too if the caller stops half way. */
export function* withFileSteps<T, Step = number>(
  disk: Disk,
  path: string,
  use: (source: FileSource) => Generator<Step, T>,
): Generator<Step, T> {
  const source = FileSource.open(disk, path);
  try {
    return yield* use(source);
  } finally {
    source.close();
  }
}

/** Reads a small file whole. @throws StorageError `EFBIG` if it has more than `limit` bytes. */
export function readSmallFile(disk: Disk, path: string, limit: number): Buffer {
  return withFile(disk, path, (source) => {
    if (source.size > limit) {
      throw new StorageError(
        'EFBIG',
        path,
        `${path} has ${source.size} bytes, expected at most ${limit}`,
      );
    }
    const bytes = Buffer.alloc(source.size);
    source.readInto(bytes, 0);
    return bytes;
  });
}
