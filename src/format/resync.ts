import type { ByteSource } from './byte-source.js';
import { readBytes } from './byte-source.js';
import { FRAME_HEADER_BYTES, KEY_LENGTH_AT, MIN_PAYLOAD_BYTES } from './frame.js';
import { readU32 } from './frame-header.js';
import { checksumHolds } from './sidecar.js';

/** The valid frames behind the first unreadable byte. Sizes and positions in bytes. */
export interface Beyond {
  readonly frames: number;
  readonly bytes: number;
  readonly firstPosition: number | null;
  readonly firstOffset: bigint | null;
  readonly lastOffset: bigint | null;
}

/** A whole frame found by resynchronising: it parses and its checksum holds. */
export interface FoundFrame {
  readonly position: number;
  /** Bytes of the whole frame, header included. */
  readonly bytes: number;
  readonly offset: bigint;
}

/** Sums up the valid frames from `from` to the end of the file; yields the position reached now and then. */
export function* beyondSteps(
  source: ByteSource,
  from: number,
  onFrame?: (frame: FoundFrame) => void,
): Generator<number, Beyond> {
  let frames = 0;
  let bytes = 0;
  let first: FoundFrame | null = null;
  let last: FoundFrame | null = null;
  for (const found of findFrames(source, from)) {
    if (typeof found === 'number') {
      yield found;
      continue;
    }
    onFrame?.(found);
    frames++;
    bytes += found.bytes;
    first ??= found;
    last = found;
  }
  return {
    frames,
    bytes,
    firstPosition: first?.position ?? null,
    firstOffset: first?.offset ?? null,
    lastOffset: last?.offset ?? null,
  };
}

const SEARCH_BYTES = 1024 * 1024;

/**
 * Finds every valid frame from `from` on: where a magic, a length of 29 or more, the whole payload, its
 * inner lengths and its checksum all hold, it goes on at the frame's end; elsewhere one byte later.
 * Yields frames, and numbers (the position reached) while it searches.
 */
export function* findFrames(
  source: ByteSource,
  from: number,
): Generator<FoundFrame | number, void> {
  const window = Buffer.alloc(SEARCH_BYTES);
  let position = from;
  while (position + FRAME_HEADER_BYTES + MIN_PAYLOAD_BYTES <= source.size) {
    const filled = window.subarray(0, Math.min(window.length, source.size - position));
    source.readInto(filled, position);
    const lastHeader = filled.length - FRAME_HEADER_BYTES;
    let at = nextCandidate(filled, 0, source.size - position);
    while (at <= lastHeader) {
      const frame = frameAt(source, position + at, filled, at);
      if (frame) yield frame;
      at += frame?.bytes ?? 1;
      at = nextCandidate(filled, at, source.size - position);
    }
    position += at;
    yield position;
  }
}

/** Next place in the window with a magic and a length that the rest of the file can hold. */
function nextCandidate(window: Uint8Array, from: number, remaining: number): number {
  const last = window.length - FRAME_HEADER_BYTES;
  for (let at = from; at <= last; at++) {
    if (window[at] !== 0x4d || window[at + 1] !== 0x51) continue;
    const length = readU32(window, at + 2);
    if (length >= MIN_PAYLOAD_BYTES && at + FRAME_HEADER_BYTES + length <= remaining) return at;
  }
  return Math.max(from, last + 1);
}

function frameAt(
  source: ByteSource,
  position: number,
  window: Uint8Array,
  at: number,
): FoundFrame | null {
  const length = readU32(window, at + 2);
  if (!parsesAt(source, position + FRAME_HEADER_BYTES, length)) return null;
  if (!checksumHolds(source, position, length, readU32(window, at + 6))) return null;
  const head = Buffer.from(readBytes(source, position + FRAME_HEADER_BYTES, 8).buffer);
  return { position, bytes: FRAME_HEADER_BYTES + length, offset: head.readBigUInt64BE(0) };
}

/** Follows the inner lengths of a payload where it lies, reading its length fields alone. */
function parsesAt(source: ByteSource, payloadAt: number, length: number): boolean {
  let at = KEY_LENGTH_AT;
  const skipField = (): boolean => {
    if (at + 4 > length) return false;
    at += 4 + readU32(readBytes(source, payloadAt + at, 4), 0);
    return at <= length;
  };
  if (!skipField() || !skipField() || at + 4 > length) return false;
  const headerCount = readU32(readBytes(source, payloadAt + at, 4), 0);
  at += 4;
  if (headerCount * 8 > length - at) return false;
  for (let n = 0; n < headerCount; n++) {
    if (!skipField() || !skipField()) return false;
  }
  return true;
}
