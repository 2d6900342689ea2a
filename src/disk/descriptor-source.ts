import { StorageError } from '../errors.js';
import type { ByteSource } from '../format/byte-source.js';
import type { Disk } from './disk.js';

/** The first `size` bytes of an open file, as a source of bytes; short reads are completed. */
export class DescriptorSource implements ByteSource {
  readonly path: string;
  readonly size: number;
  protected readonly disk: Disk;
  protected readonly fd: number;

  /** @param size bytes that the file is known to have. */
  constructor(disk: Disk, fd: number, path: string, size: number) {
    this.disk = disk;
    this.fd = fd;
    this.path = path;
    this.size = size;
  }

  readInto(target: Uint8Array, position: number): void {
    let done = 0;
    while (done < target.length) {
      const read = this.disk.read(this.fd, target.subarray(done), position + done);
      if (read === 0) {
        const message = `${this.path} became shorter than ${this.size} bytes while it was read`;
        throw new StorageError('ECHANGED', this.path, message);
      }
      done += read;
    }
  }
}
