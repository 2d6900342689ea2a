import { crc32 } from './crc32.js';

/*
 * A frame, all integers big-endian and unsigned:
 *
 *   magic u16 = 0x4D51 | length u32 | crc u32 | payload (length bytes)
 *
 * and its payload, which alone the checksum covers:
 *
 *   offset u64 | timestamp u64 | flags u8 | key length u32 | key | value length u32 | value |
 *   header count u32 | count x ( key length u32 | key | value length u32 | value )
 */
export const MAGIC = 0x4d51;
export const FRAME_HEADER_BYTES = 10;
/** Offset, timestamp, flags, and the three length or count fields of an empty record. */
export const MIN_PAYLOAD_BYTES = 29;
export const MIN_FRAME_BYTES = FRAME_HEADER_BYTES + MIN_PAYLOAD_BYTES;
/** Where the key length stands in a payload. */
export const KEY_LENGTH_AT = 17;
/** Flag bit 0 tells an empty key from an absent one; the other bits are ignored. */
export const FLAG_HAS_KEY = 1;

const MAX_U32 = 0xffff_ffff;
const MAX_U64 = 0xffff_ffff_ffff_ffffn;

export interface RecordHeader {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** One record as a payload carries it. */
export interface SegmentRecord {
  /** Logical number of the record in its range, 0 to 2^64-1. */
  readonly offset: bigint;
  /** Milliseconds since the Unix epoch, 0 to 2^64-1. */
  readonly timestamp: bigint;
  /** `null` when the record has no key, which is not the same as an empty one. */
  readonly key: Uint8Array | null;
  readonly value: Uint8Array;
  readonly headers: readonly RecordHeader[];
}

/**
 * Encodes one record as a frame.
 *
 * @throws RangeError if the offset or the timestamp is no 64-bit unsigned integer, or if the payload
 *   would exceed 2^32-1 bytes.
 */
export function encodeFrame(record: SegmentRecord): Uint8Array {
  for (const name of ['offset', 'timestamp'] as const) {
    if (record[name] < 0n || record[name] > MAX_U64) {
      throw new RangeError(`${name} must be from 0 to 2^64-1, found ${record[name]}`);
    }
  }
  const keyBytes = record.key ?? new Uint8Array(0);
  let payloadBytes = MIN_PAYLOAD_BYTES + keyBytes.length + record.value.length;
  for (const header of record.headers) payloadBytes += 8 + header.key.length + header.value.length;
  if (payloadBytes > MAX_U32) {
    throw new RangeError(`a payload holds at most 2^32-1 bytes, found ${payloadBytes}`);
  }

  const frame = Buffer.alloc(FRAME_HEADER_BYTES + payloadBytes);
  frame.writeUInt16BE(MAGIC, 0);
  frame.writeUInt32BE(payloadBytes, 2);
  let at = frame.writeBigUInt64BE(record.offset, FRAME_HEADER_BYTES);
  at = frame.writeBigUInt64BE(record.timestamp, at);
  at = frame.writeUInt8(record.key === null ? 0 : FLAG_HAS_KEY, at);
  at = writeField(frame, keyBytes, at);
  at = writeField(frame, record.value, at);
  at = frame.writeUInt32BE(record.headers.length, at);
  for (const header of record.headers) {
    at = writeField(frame, header.key, at);
    at = writeField(frame, header.value, at);
  }
  frame.writeUInt32BE(crc32(frame.subarray(FRAME_HEADER_BYTES)), 6);
  return frame;
}

function writeField(frame: Buffer, field: Uint8Array, at: number): number {
  frame.writeUInt32BE(field.length, at);
  frame.set(field, at + 4);
  return at + 4 + field.length;
}

/**
 * Decodes a payload; its fields are views into it, not copies. Bytes left over after the last header
 * are accepted and ignored, as the system does.
 *
 * @returns `null` if an inner length runs past the payload (`bad_payload`).
 */
export function decodePayload(payload: Uint8Array): SegmentRecord | null {
  if (payload.length < MIN_PAYLOAD_BYTES) return null;
  const view = Buffer.from(payload.buffer, payload.byteOffset, payload.length);
  let at = KEY_LENGTH_AT;
  const field = (): Uint8Array | null => {
    if (at + 4 > view.length) return null;
    const start = at + 4;
    const end = start + view.readUInt32BE(at);
    if (end > view.length) return null;
    at = end;
    return payload.subarray(start, end);
  };

  const key = field();
  const value = key && field();
  if (!key || !value || at + 4 > view.length) return null;
  const headerCount = view.readUInt32BE(at);
  at += 4;
  const headers: RecordHeader[] = [];
  for (let n = 0; n < headerCount; n++) {
    const headerKey = field();
    const headerValue = headerKey && field();
    if (!headerKey || !headerValue) return null;
    headers.push({ key: headerKey, value: headerValue });
  }
  return {
    offset: view.readBigUInt64BE(0),
    timestamp: view.readBigUInt64BE(8),
    key: (view.readUInt8(16) & FLAG_HAS_KEY) === 0 ? null : key,
    value,
    headers,
  };
}
