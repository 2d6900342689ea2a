import type { ByteSource } from './byte-source.js';
import { readBytes } from './byte-source.js';
import { crc32 } from './crc32.js';
import { FRAME_HEADER_BYTES } from './frame.js';
import { judgeFront, readU32 } from './frame-header.js';

/*
 * The sparse index beside a sealed file: entries of 16 bytes, ascending.
 *
 *   offset u64 | position u64
 *
 * The first frame is always there; then each frame that starts at least the interval after the last one.
 */
export const SIDECAR_ENTRY_BYTES = 16;
/** A node's default distance between two entries, in bytes. */
export const DEFAULT_INDEX_INTERVAL = 4096;

export interface SidecarEntry {
  readonly offset: bigint;
  /** Byte position in the file; above 2^53 it names no byte that a file can have. */
  readonly position: bigint;
}

/** Collects the entries of a file, frame by frame, already in the form they have on disk. */
export class SidecarBuilder {
  /** Least distance in bytes between the starts of two indexed frames. */
  readonly interval: number;
  #bytes = Buffer.alloc(1024);
  #length = 0;
  #nextPosition = 0;

  /** @param interval least distance in bytes between the starts of two indexed frames. */
  constructor(interval: number) {
    this.interval = interval;
  }

  /** The next frame that starts here or later is to be indexed. */
  get nextPosition(): number {
    return this.#nextPosition;
  }

  /** Offers one good frame: `payload` begins with its offset, `position` is where the frame starts. */
  offer(payload: Uint8Array, position: number): void {
    if (position < this.#nextPosition) return;
    this.#makeRoom(SIDECAR_ENTRY_BYTES);
    this.#bytes.set(payload.subarray(0, 8), this.#length);
    this.#bytes.writeBigUInt64BE(BigInt(position), this.#length + 8);
    this.#length += SIDECAR_ENTRY_BYTES;
    this.#nextPosition = position + this.interval;
  }

  /** Takes the entries of the frames that follow, made by the same rule and in the form they have on disk. */
  append(entries: Uint8Array): void {
    if (entries.length === 0) return;
    this.#makeRoom(entries.length);
    this.#bytes.set(entries, this.#length);
    this.#length += entries.length;
    const lastPosition = this.#bytes.readBigUInt64BE(this.#length - 8);
    this.#nextPosition = Number(lastPosition) + this.interval;
  }

  /** The sidecar's bytes so far. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  get entries(): number {
    return this.#length / SIDECAR_ENTRY_BYTES;
  }

  #makeRoom(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.alloc(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** The whole entries of a sidecar's bytes; a part of an entry at the end is left out. */
export function* decodeSidecar(bytes: Uint8Array): Generator<SidecarEntry> {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at + SIDECAR_ENTRY_BYTES <= view.length; at += SIDECAR_ENTRY_BYTES) {
    yield { offset: view.readBigUInt64BE(at), position: view.readBigUInt64BE(at + 8) };
  }
}

/** What verification says of a sidecar. */
export type SidecarVerdict =
  | { readonly status: 'ok'; readonly entries: number }
  | {
      readonly status: 'bad';
      readonly entries: number;
      readonly detail: 'trailing_bytes' | 'entry';
      /** The bad entry's position; for `trailing_bytes` the end of the valid frames. */
      readonly position: bigint;
    };

/**
 * Holds a sidecar against the frames of its file, which have been found clean or blank. Unlike the node,
 * which reads 262144 bytes at an entry, it reads a frame of any size.
 *
 * @param validBytes where the last good frame of `source` ends.
 */
export function verifySidecar(
  sidecar: Uint8Array,
  source: ByteSource,
  validBytes: number,
): SidecarVerdict {
  const entries = Math.floor(sidecar.length / SIDECAR_ENTRY_BYTES);
  if (sidecar.length % SIDECAR_ENTRY_BYTES !== 0) {
    return { status: 'bad', entries, detail: 'trailing_bytes', position: BigInt(validBytes) };
  }
  for (const { offset, position } of decodeSidecar(sidecar)) {
    if (!pointsAtFrame(source, validBytes, position, offset)) {
      return { status: 'bad', entries, detail: 'entry', position };
    }
  }
  return { status: 'ok', entries };
}

function pointsAtFrame(
  source: ByteSource,
  validBytes: number,
  entryPosition: bigint,
  offset: bigint,
): boolean {
  if (entryPosition >= BigInt(validBytes)) return false;
  const position = Number(entryPosition);
  const remaining = validBytes - position;
  const head = readBytes(source, position, Math.min(remaining, FRAME_HEADER_BYTES + 8));
  if (judgeFront(head, remaining) !== 'frame') return false;
  const carried = Buffer.from(head.buffer, head.byteOffset, head.length);
  if (carried.readBigUInt64BE(FRAME_HEADER_BYTES) !== offset) return false;
  return checksumHolds(source, position, readU32(head, 2), readU32(head, 6));
}

const PIECE_BYTES = 256 * 1024;

/** Whether the payload of the frame at `position` has the checksum that its header claims. */
export function checksumHolds(
  source: ByteSource,
  position: number,
  length: number,
  claimed: number,
): boolean {
  let checksum = 0;
  const end = position + FRAME_HEADER_BYTES + length;
  for (let at = position + FRAME_HEADER_BYTES; at < end; at += PIECE_BYTES) {
    checksum = crc32(readBytes(source, at, Math.min(PIECE_BYTES, end - at)), checksum);
  }
  return checksum === claimed;
}
