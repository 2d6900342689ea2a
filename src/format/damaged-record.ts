import type { ByteSource } from './byte-source.js';
import { readBytes } from './byte-source.js';
import { FRAME_HEADER_BYTES, KEY_LENGTH_AT, MIN_FRAME_BYTES, MIN_PAYLOAD_BYTES } from './frame.js';
import { readU32, startsWithMagic } from './frame-header.js';
import { checksumHolds } from './sidecar.js';
import { readStoredRecord } from './stored-record.js';

/** More headers than these are not followed in bytes that are damaged. */
const HEADER_LIMIT = 1024;

/**
 * Tells where damaged records end, as far as their bytes agree on it: a valid frame inside one is part of
 * its value, and no record of the log.
 *
 * A record tells its length twice, in its header and by the lengths of its fields; either may be what
 * rotted. So one is believed only with a witness: the other one, the checksum, or what stands at the end.
 */
export class DamagedRecords {
  readonly #source: ByteSource;
  /** Checksums are worked out over at most four times the file's bytes, however many damages it has. */
  #budgetBytes: number;

  constructor(source: ByteSource) {
    this.#source = source;
    this.#budgetBytes = source.size * 4;
  }

  /**
   * @param position where the record starts: where the good frame before it ended.
   * @returns `null` if nothing can be believed, as behind a hole of zeros.
   */
  endOf(position: number): number | null {
    const source = this.#source;
    if (position + MIN_FRAME_BYTES > source.size) return null;
    const head = readBytes(source, position, FRAME_HEADER_BYTES);
    // Zeros read as an empty record, of fields of no length.
    if (head.every((byte) => byte === 0)) return null;
    const length = readU32(head, 2);
    const claimedEnd = position + FRAME_HEADER_BYTES + length;

    const byFields = readStoredRecord(source, position, source.size, HEADER_LIMIT)?.fieldsEnd;
    if (byFields !== undefined) {
      const agrees =
        byFields === claimedEnd ||
        this.#checksumHolds(position, byFields, readU32(head, 6)) ||
        this.#isValidFrame(byFields);
      if (agrees) return byFields;
    }
    if (!startsWithMagic(head) || length < MIN_PAYLOAD_BYTES) return null;
    if (claimedEnd > source.size) {
      return fieldsRunPastFile(source, position, claimedEnd) ? source.size : null;
    }
    return this.#endsThere(claimedEnd) ? claimedEnd : null;
  }

  /** Whether a frame, however damaged, or the file's end stands at `position`. */
  #endsThere(position: number): boolean {
    const left = this.#source.size - position;
    return left === 0 || (left >= 2 && startsWithMagic(readBytes(this.#source, position, 2)));
  }

  #isValidFrame(position: number): boolean {
    if (position + MIN_FRAME_BYTES > this.#source.size) return false;
    const head = readBytes(this.#source, position, FRAME_HEADER_BYTES);
    const length = readU32(head, 2);
    const end = position + FRAME_HEADER_BYTES + length;
    if (!startsWithMagic(head) || length < MIN_PAYLOAD_BYTES || end > this.#source.size)
      return false;
    return this.#checksumHolds(position, end, readU32(head, 6));
  }

  #checksumHolds(position: number, end: number, claimed: number): boolean {
    const payloadBytes = end - position - FRAME_HEADER_BYTES;
    if (payloadBytes > this.#budgetBytes) return false;
    this.#budgetBytes -= payloadBytes;
    return checksumHolds(this.#source, position, payloadBytes, claimed);
  }
}

/** Whether a record's key or value says too that the record goes on where the file has ended: it is torn. */
function fieldsRunPastFile(source: ByteSource, position: number, claimedEnd: number): boolean {
  let at = position + FRAME_HEADER_BYTES + KEY_LENGTH_AT;
  for (let field = 0; field < 2 && at + 4 <= source.size; field++) {
    at += 4 + readU32(readBytes(source, at, 4), 0);
  }
  return at > source.size && at <= claimedEnd;
}
