import type { ByteSource } from './byte-source.js';
import { crc32OfSuffix } from './crc32-combine.js';
import { crc32 } from './crc32.js';
import { PAGE_BYTES, type PageCache } from './page-cache.js';

/** Bounds the table to 16 MiB. */
const MAX_ENTRIES = 4 * 1024 * 1024;

/** A place in the file and the checksum of everything from the table's start up to it. */
interface Cursor {
  position: number;
  checksum: number;
}

/**
 * Checksums of any range of a file's end, each in the time of one step, after one pass over it: a table
 * holds the checksum from its start up to every step.
 */
export class PrefixChecksums {
  readonly #pages: PageCache;
  readonly #start: number;
  readonly #stepBytes: number;
  readonly #table: Uint32Array;
  // Ranges that are asked for one after the other start, and often end, close to each other.
  readonly #from: Cursor;
  readonly #to: Cursor;

  private constructor(pages: PageCache, start: number, stepBytes: number, table: Uint32Array) {
    this.#pages = pages;
    this.#start = start;
    this.#stepBytes = stepBytes;
    this.#table = table;
    this.#from = { position: start, checksum: 0 };
    this.#to = { position: start, checksum: 0 };
  }

  /**
   * Makes the table for the file from about `from` to its end; yields `from` now and then.
   *
   * @param piece memory to read the file into.
   * @param maxEntries steps grow beyond a page, twofold each time, until the table has no more entries.
   */
  static *build(
    source: ByteSource,
    pages: PageCache,
    from: number,
    piece: Uint8Array,
    maxEntries = MAX_ENTRIES,
  ): Generator<number, PrefixChecksums> {
    const start = from - (from % PAGE_BYTES);
    let stepBytes = PAGE_BYTES;
    while ((source.size - start) / stepBytes > maxEntries) stepBytes *= 2;
    const table = new Uint32Array(Math.ceil((source.size - start) / stepBytes) + 1);
    let checksum = 0;
    let entry = 1;
    for (let at = start; at < source.size; at += piece.length) {
      const filled = piece.subarray(0, Math.min(piece.length, source.size - at));
      source.readInto(filled, at);
      for (let done = 0; done < filled.length;) {
        const next = start + entry * stepBytes - at;
        checksum = crc32(filled.subarray(done, Math.min(next, filled.length)), checksum);
        if (next <= filled.length) table[entry++] = checksum;
        done = Math.min(next, filled.length);
      }
      yield from;
    }
    return new PrefixChecksums(pages, start, stepBytes, table);
  }

  /** Checksum of `length` bytes at `position`, which lie in the part of the file that the table is for. */
  checksum(position: number, length: number): number {
    this.#moveTo(this.#from, position);
    this.#moveTo(this.#to, position + length);
    return crc32OfSuffix(this.#to.checksum, this.#from.checksum, length);
  }

  #moveTo(cursor: Cursor, position: number): void {
    const entry = Math.floor((position - this.#start) / this.#stepBytes);
    const step = this.#start + entry * this.#stepBytes;
    if (cursor.position < step || cursor.position > position) {
      cursor.position = step;
      cursor.checksum = this.#table[entry] ?? 0;
    }
    while (cursor.position < position) {
      const at = cursor.position % PAGE_BYTES;
      const bytes = Math.min(PAGE_BYTES - at, position - cursor.position);
      const part = this.#pages.page(cursor.position).subarray(at, at + bytes);
      cursor.checksum = crc32(part, cursor.checksum);
      cursor.position += bytes;
    }
  }
}
