import type { ByteSource } from './byte-source.js';

export const PAGE_BYTES = 4096;
const PAGES_LOG2 = 6;
const PAGES = 2 ** PAGES_LOG2;

/**
 * Reads single fields anywhere in a file without a read for each: a few pages stay in memory, each in the
 * one slot that a hash of its number gives it. Allocates nothing once it is made.
 */
export class PageCache {
  readonly #source: ByteSource;
  readonly #slots: readonly Buffer[];
  readonly #numbers = new Float64Array(PAGES).fill(-1);

  constructor(source: ByteSource) {
    this.#source = source;
    const memory = Buffer.allocUnsafe(PAGES * PAGE_BYTES);
    this.#slots = Array.from({ length: PAGES }, (_, slot) =>
      memory.subarray(slot * PAGE_BYTES, (slot + 1) * PAGE_BYTES),
    );
  }

  /** The page that holds `position`; the file's last one has no meaning past the file's end. */
  page(position: number): Buffer {
    const number = Math.floor(position / PAGE_BYTES);
    // Fields that belong together lie powers of two apart more often than not: scatter them.
    const index = Math.imul(number, 0x9e3779b1) >>> (32 - PAGES_LOG2);
    const slot = this.#slots[index];
    if (slot === undefined) throw new RangeError(`no page holds position ${position}`);
    if (this.#numbers[index] !== number) {
      const start = number * PAGE_BYTES;
      const left = this.#source.size - start;
      // A read that fails must not leave half a page behind under a number.
      this.#numbers[index] = -1;
      this.#source.readInto(left < PAGE_BYTES ? slot.subarray(0, left) : slot, start);
      this.#numbers[index] = number;
    }
    return slot;
  }

  /** Reads a big-endian u32 whose four bytes lie inside the file. */
  u32(position: number): number {
    const at = position % PAGE_BYTES;
    if (at <= PAGE_BYTES - 4) return this.page(position).readUInt32BE(at);
    let value = 0;
    for (let next = position; next < position + 4; next++) {
      value = value * 256 + (this.page(next)[next % PAGE_BYTES] ?? 0);
    }
    return value;
  }
}
