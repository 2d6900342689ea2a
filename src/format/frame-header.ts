import { MAGIC, FRAME_HEADER_BYTES, MIN_PAYLOAD_BYTES } from './frame.js';

/** Reads a big-endian u32; bytes past the end read as zero. */
export function readU32(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] ?? 0) * 0x1000000 +
    (((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0))
  );
}

export function startsWithMagic(bytes: Uint8Array, at = 0): boolean {
  return (((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)) === MAGIC;
}

/**
 * What the front of the rest of a file says, before any payload byte is looked at.
 *
 * - `frame`: a magic, a length of 29 or more, and the whole payload is there
 * - `incomplete`: the file ends inside this frame, or is too short for a header
 * - `zeros`: two zero bytes in front; blank if zeros reach the end, else `bad_magic`
 * - `bad_magic`: anything else
 */
export type FrontKind = 'frame' | 'incomplete' | 'zeros' | 'bad_magic';

/**
 * Judges the front of the rest of a file; the order of the questions is the system's and matters.
 *
 * @param head the next bytes: 10, or all that are left if fewer.
 * @param remaining bytes from here to the end of the file.
 */
export function judgeFront(head: Uint8Array, remaining: number): FrontKind {
  if (remaining >= FRAME_HEADER_BYTES && startsWithMagic(head)) {
    const length = readU32(head, 2);
    if (remaining - FRAME_HEADER_BYTES < length) return 'incomplete';
    return length >= MIN_PAYLOAD_BYTES ? 'frame' : 'bad_magic';
  }
  if (remaining >= 2 && head[0] === 0 && head[1] === 0) return 'zeros';
  return remaining < FRAME_HEADER_BYTES ? 'incomplete' : 'bad_magic';
}
