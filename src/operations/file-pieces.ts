import type { Hash } from 'node:crypto';
import { createHash } from 'node:crypto';
import { writeFully } from '../disk/durable.js';
import type { Disk } from '../disk/disk.js';
import type { ByteSource } from '../format/byte-source.js';
import { isAllZero } from '../format/byte-source.js';

const PIECE_BYTES = 1024 * 1024;
const zeros = Buffer.alloc(PIECE_BYTES);

/** Reads a range in pieces of bounded size; a piece is overwritten by the next one. */
export function* readPieces(source: ByteSource, from: number, to: number): Generator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(Math.min(PIECE_BYTES, Math.max(0, to - from)));
  for (let at = from; at < to; at += buffer.length) {
    const piece = buffer.subarray(0, Math.min(buffer.length, to - at));
    source.readInto(piece, at);
    yield piece;
  }
}

/** The digest of `keepBytes` bytes of a file followed by zeros up to `sizeBytes`. */
export function digestPadded(source: ByteSource, keepBytes: number, sizeBytes: number): string {
  const hash = createHash('sha256');
  for (const piece of readPieces(source, 0, keepBytes)) hash.update(piece);
  hashZeros(hash, sizeBytes - keepBytes);
  return hash.digest('hex');
}

export function digestRange(source: ByteSource, from: number, to: number): string {
  const hash = createHash('sha256');
  for (const piece of readPieces(source, from, to)) hash.update(piece);
  return hash.digest('hex');
}

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function hashZeros(hash: Hash, count: number): void {
  for (let left = count; left > 0; left -= zeros.length) {
    hash.update(zeros.subarray(0, Math.min(left, zeros.length)));
  }
}

/** Where the zeros at the end of a file begin, looked for from `from` on. */
export function writtenEnd(source: ByteSource, from: number): number {
  for (let end = source.size; end > from; end = Math.max(from, end - PIECE_BYTES)) {
    const start = Math.max(from, end - PIECE_BYTES);
    const piece = new Uint8Array(end - start);
    source.readInto(piece, start);
    if (isAllZero(piece)) continue;
    return start + piece.findLastIndex((byte) => byte !== 0) + 1;
  }
  return from;
}

/** Copies a range into a file at `position` of it; not yet durable. @returns the digest of the range. */
export function copyRange(
  disk: Disk,
  source: ByteSource,
  from: number,
  to: number,
  target: number,
  position: number,
): string {
  const hash = createHash('sha256');
  let at = position;
  for (const piece of readPieces(source, from, to)) {
    writeFully(disk, target, piece, at);
    hash.update(piece);
    at += piece.length;
  }
  return hash.digest('hex');
}
