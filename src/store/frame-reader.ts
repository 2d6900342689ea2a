import type { ByteSource } from '../format/byte-source.js';
import { readBytes } from '../format/byte-source.js';
import { crc32 } from '../format/crc32.js';
import type { SegmentRecord } from '../format/frame.js';
import { decodePayload, FRAME_HEADER_BYTES } from '../format/frame.js';
import { judgeFront, readU32 } from '../format/frame-header.js';
import { checksumHolds } from '../format/sidecar.js';

/** One record of a file, and where its frame stands. In bytes. */
export interface FoundRecord {
  readonly position: number;
  /** Of the whole frame, header included. */
  readonly frameBytes: number;
  readonly record: SegmentRecord;
}

const WINDOW_BYTES = 256 * 1024;

/** Reads the records of a file one after the other, through one window of memory. */
export class FrameReader {
  readonly #source: ByteSource;
  #window: Uint8Array = new Uint8Array(0);
  #windowAt = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /**
   * The record whose frame starts at `position`. Its fields are its own, not views of the window.
   *
   * @returns `null` where no whole and good frame starts.
   * @throws StorageError if the source cannot be read.
   */
  at(position: number): FoundRecord | null {
    const remaining = this.#source.size - position;
    const head = this.#bytes(position, Math.min(FRAME_HEADER_BYTES, remaining));
    if (judgeFront(head, remaining) !== 'frame') return null;
    const length = readU32(head, 2);
    const payload = this.#payload(position, length, readU32(head, 6));
    const record = payload && decodePayload(payload);
    return record && { position, frameBytes: FRAME_HEADER_BYTES + length, record };
  }

  /** The payload, if its checksum holds; a large one is checked in pieces before memory is given to it. */
  #payload(position: number, length: number, claimed: number): Uint8Array | null {
    const payloadAt = position + FRAME_HEADER_BYTES;
    if (length > WINDOW_BYTES) {
      return checksumHolds(this.#source, position, length, claimed)
        ? readBytes(this.#source, payloadAt, length)
        : null;
    }
    const payload = this.#bytes(payloadAt, length);
    return crc32(payload) === claimed ? payload.slice() : null;
  }

  /** At most `WINDOW_BYTES` bytes that lie inside the source. */
  #bytes(position: number, length: number): Uint8Array {
    const from = position - this.#windowAt;
    if (from < 0 || from + length > this.#window.length) {
      const filled = Math.min(WINDOW_BYTES, this.#source.size - position);
      this.#window = readBytes(this.#source, position, filled);
      this.#windowAt = position;
      return this.#window.subarray(0, length);
    }
    return this.#window.subarray(from, from + length);
  }
}
