import type { ByteSource } from './byte-source.js';
import { crc32 } from './crc32.js';
import { FRAME_HEADER_BYTES, KEY_LENGTH_AT } from './frame.js';
import type { FrameKernel } from './frame-kernel.js';
import { PageCache } from './page-cache.js';
import { PrefixChecksums } from './prefix-checksums.js';

const PIECE_BYTES = 256 * 1024;
/** Payloads up to this are always read: a range from the table costs about as much. */
const SHORT_BYTES = PIECE_BYTES / 64;
/** Bytes read for checksums that are always allowed, beside a multiple of those that were searched. */
const ALLOWED_BYTES = 8 * 1024 * 1024;
const ALLOWED_FACTOR = 4;
/** A longer list of headers is not followed before the checksum is known to hold. */
const SHORT_LIST = 4;
const FIELDS_A_STEP = 1_000_000;

/**
 * Tells whether a frame starts at a place that looks like it. Hostile bytes hold a candidate every few
 * bytes, each with a payload of megabytes, so reading each payload would take quadratic time: once the
 * payloads read are a multiple of the bytes searched, a table of prefix checksums answers instead.
 */
export class CandidateCheck {
  readonly #source: ByteSource;
  readonly #searchedFrom: number;
  readonly #pages: PageCache;
  readonly #piece = Buffer.allocUnsafe(PIECE_BYTES);
  #readBytes = 0;
  #prefixes: PrefixChecksums | null = null;

  /** @param searchedFrom where the search starts. */
  constructor(source: ByteSource, searchedFrom: number) {
    this.#source = source;
    this.#searchedFrom = searchedFrom;
    this.#pages = new PageCache(source);
  }

  /** Big-endian u64 at a position. */
  u64(position: number): bigint {
    return (BigInt(this.#pages.u32(position)) << 32n) | BigInt(this.#pages.u32(position + 4));
  }

  /**
   * What is left to be done about a candidate before it counts: nothing, since it does not parse
   * (`refused`); its `checksum`; or its checksum and then its long list of `headers`.
   *
   * @param position where the candidate's header starts; its whole payload lies inside the file.
   */
  outlook(position: number, length: number): 'refused' | 'checksum' | 'headers' {
    const listAt = this.#headerListAt(position, length);
    if (listAt === null) return 'refused';
    const count = this.#pages.u32(listAt);
    const end = position + FRAME_HEADER_BYTES + length;
    if (count * 8 > end - listAt - 4) return 'refused';
    if (count > SHORT_LIST) return 'headers';
    let at: number | null = listAt + 4;
    for (let n = 0; n < count * 2 && at !== null; n++) at = this.#fieldEnd(at, end);
    return at === null ? 'refused' : 'checksum';
  }

  /**
   * The payload's checksum, if it can be had at once.
   *
   * @param at where the candidate's header starts in the kernel's window.
   * @param end bytes of the window that hold the file.
   * @returns `null` if there are bytes to read for it.
   */
  checksumNow(
    position: number,
    length: number,
    kernel: FrameKernel,
    at: number,
    end: number,
  ): number | null {
    if (length > SHORT_BYTES) {
      if (this.#prefixes) return this.#prefixes.checksum(position + FRAME_HEADER_BYTES, length);
      if (!this.#mayRead(position, length)) return null;
    }
    if (at + FRAME_HEADER_BYTES + length > end) return null;
    if (length > SHORT_BYTES) this.#readBytes += length;
    return kernel.checksum(at + FRAME_HEADER_BYTES, length);
  }

  /** The payload's checksum, by reading it, or by making the table. Yields now and then. */
  *checksum(position: number, length: number): Generator<number, number> {
    const payloadAt = position + FRAME_HEADER_BYTES;
    if (length > SHORT_BYTES && !this.#mayRead(position, length)) {
      this.#prefixes = yield* PrefixChecksums.build(
        this.#source,
        this.#pages,
        position,
        this.#piece,
      );
      return this.#prefixes.checksum(payloadAt, length);
    }
    this.#readBytes += length;
    let checksum = 0;
    for (let at = payloadAt; at < payloadAt + length; at += this.#piece.length) {
      const left = payloadAt + length - at;
      const piece = this.#piece.subarray(0, Math.min(this.#piece.length, left));
      this.#source.readInto(piece, at);
      checksum = crc32(piece, checksum);
      yield position;
    }
    return checksum;
  }

  /** Follows a long list of headers, known to have at least 8 bytes for each. Yields now and then. */
  *headersParse(position: number, length: number): Generator<number, boolean> {
    const listAt = this.#headerListAt(position, length);
    if (listAt === null) return false;
    const fields = this.#pages.u32(listAt) * 2;
    const end = position + FRAME_HEADER_BYTES + length;
    let at: number | null = listAt + 4;
    for (let n = 0; n < fields; n++) {
      at = this.#fieldEnd(at, end);
      if (at === null) return false;
      if (n % FIELDS_A_STEP === 0) yield position;
    }
    return true;
  }

  /** Whether payloads read directly are still no more than a multiple of the bytes searched. */
  #mayRead(position: number, length: number): boolean {
    const searched = position - this.#searchedFrom;
    return this.#readBytes + length <= ALLOWED_BYTES + searched * ALLOWED_FACTOR;
  }

  /** Where the header count stands, behind the key and the value; `null` if that is past the payload. */
  #headerListAt(position: number, length: number): number | null {
    const end = position + FRAME_HEADER_BYTES + length;
    const keyEnd = this.#fieldEnd(position + FRAME_HEADER_BYTES + KEY_LENGTH_AT, end);
    const valueEnd = keyEnd === null ? null : this.#fieldEnd(keyEnd, end);
    return valueEnd === null || valueEnd + 4 > end ? null : valueEnd;
  }

  #fieldEnd(at: number, end: number): number | null {
    if (at + 4 > end) return null;
    const fieldEnd = at + 4 + this.#pages.u32(at);
    return fieldEnd > end ? null : fieldEnd;
  }
}
