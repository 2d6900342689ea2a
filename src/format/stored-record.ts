import type { ByteSource } from './byte-source.js';
import { readBytes } from './byte-source.js';
import { FLAG_HAS_KEY, FRAME_HEADER_BYTES, KEY_LENGTH_AT, MIN_PAYLOAD_BYTES } from './frame.js';
import { readU32 } from './frame-header.js';

/*
 * A record where it lies: its fields are ranges of the file, so that a value of a gigabyte is shown, or
 * copied, piece by piece.
 */

/** A range of the file's bytes. */
export interface StoredField {
  readonly position: number;
  readonly length: number;
}

export interface StoredRecord {
  /** Where its frame starts, and the bytes of the whole frame. */
  readonly position: number;
  readonly bytes: number;
  readonly offset: bigint;
  /** Milliseconds since the Unix epoch, 0 to 2^64-1. */
  readonly timestamp: bigint;
  /** `null` when the record has no key, which is not the same as an empty one. */
  readonly key: StoredField | null;
  readonly value: StoredField;
  readonly headerCount: number;
  /** Where the first header starts. */
  readonly headersAt: number;
  /** Where the last header ends: the bytes of the payload behind it mean nothing. */
  readonly fieldsEnd: number;
}

export interface StoredHeader {
  readonly key: StoredField;
  readonly value: StoredField;
}

/**
 * Follows the inner lengths of a payload, whatever its header says of it.
 *
 * @param position where the frame starts.
 * @param end where the payload may reach to at most.
 * @param headerLimit headers that are followed at most.
 * @returns `null` if an inner length runs past `end`, or if there are more headers.
 */
export function readStoredRecord(
  source: ByteSource,
  position: number,
  end: number,
  headerLimit = Infinity,
): StoredRecord | null {
  const payloadAt = position + FRAME_HEADER_BYTES;
  if (payloadAt + MIN_PAYLOAD_BYTES > end) return null;
  const fixed = Buffer.from(readBytes(source, payloadAt, KEY_LENGTH_AT).buffer);
  const key = readField(source, payloadAt + KEY_LENGTH_AT, end);
  const value = key && readField(source, fieldEnd(key), end);
  if (!key || !value || fieldEnd(value) + 4 > end) return null;
  const headerCount = readLength(source, fieldEnd(value));
  const headersAt = fieldEnd(value) + 4;
  if (headerCount > headerLimit || headerCount * 8 > end - headersAt) return null;
  let at = headersAt;
  for (let field = 0; field < headerCount * 2; field++) {
    const read = readField(source, at, end);
    if (!read) return null;
    at = fieldEnd(read);
  }
  return {
    position,
    bytes: end - position,
    offset: fixed.readBigUInt64BE(0),
    timestamp: fixed.readBigUInt64BE(8),
    key: (fixed.readUInt8(16) & FLAG_HAS_KEY) === 0 ? null : key,
    value,
    headerCount,
    headersAt,
    fieldsEnd: at,
  };
}

/** The headers of a record that was read from this source. */
export function* storedHeaders(
  source: ByteSource,
  { headersAt, headerCount, fieldsEnd }: StoredRecord,
): Generator<StoredHeader> {
  let at = headersAt;
  for (let n = 0; n < headerCount; n++) {
    const key = readField(source, at, fieldsEnd);
    const value = key && readField(source, fieldEnd(key), fieldsEnd);
    if (!key || !value) return;
    yield { key, value };
    at = fieldEnd(value);
  }
}

/** Bytes of a field that are read at once. */
export const PIECE_BYTES = 48 * 1024;

/** The bytes of a field in pieces whose length is a multiple of 3, but for the last. */
export function* fieldPieces(source: ByteSource, field: StoredField): Generator<Uint8Array> {
  const end = fieldEnd(field);
  for (let at = field.position; at < end; at += PIECE_BYTES) {
    yield readBytes(source, at, Math.min(PIECE_BYTES, end - at));
  }
}

function fieldEnd({ position, length }: StoredField): number {
  return position + length;
}

function readField(source: ByteSource, at: number, end: number): StoredField | null {
  if (at + 4 > end) return null;
  const length = readLength(source, at);
  return at + 4 + length <= end ? { position: at + 4, length } : null;
}

function readLength(source: ByteSource, at: number): number {
  return readU32(readBytes(source, at, 4), 0);
}
