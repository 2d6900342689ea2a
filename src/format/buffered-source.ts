import type { ByteSource } from './byte-source.js';

/** Serves small reads that go forward from one block of memory, so that a record costs no system call. */
export class BufferedSource implements ByteSource {
  readonly size: number;
  readonly #source: ByteSource;
  readonly #block: Uint8Array;
  #start = 0;
  #filled = 0;

  /** @param blockBytes bytes read ahead of the first one asked for. */
  constructor(source: ByteSource, blockBytes = 64 * 1024) {
    this.size = source.size;
    this.#source = source;
    this.#block = new Uint8Array(blockBytes);
  }

  readInto(target: Uint8Array, position: number): void {
    if (target.length > this.#block.length) {
      this.#source.readInto(target, position);
      return;
    }
    const end = position + target.length;
    if (position < this.#start || end > this.#start + this.#filled) this.#fill(position);
    const at = position - this.#start;
    target.set(this.#block.subarray(at, at + target.length));
  }

  #fill(position: number): void {
    const length = Math.min(this.#block.length, this.size - position);
    this.#filled = 0;
    this.#source.readInto(this.#block.subarray(0, length), position);
    this.#start = position;
    this.#filled = length;
  }
}
