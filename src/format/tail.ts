import type { ByteSource } from './byte-source.js';
import { readBytes } from './byte-source.js';
import { FRAME_HEADER_BYTES } from './frame.js';
import { readU32, startsWithMagic } from './frame-header.js';
import type { Halt } from './walk.js';

/** The tail is judged by its first bytes alone, as the system does (`classify_tail/2`). */
export const TAIL_WINDOW_BYTES = 65536;

/** The bytes past the last good frame, seen through one window of at most 65536 bytes. All in bytes. */
export interface TailShape {
  /** Where the tail starts: the end of the valid bytes. */
  readonly position: number;
  readonly trailingBytes: number;
  /** Length of the window up to its last non-zero byte. */
  readonly writtenBytes: number;
  /** What follows the written bytes, if zeros reach the window's end; else 0. */
  readonly blankTailBytes: number;
  /** The zeros begin inside the frame that the window's header describes. */
  readonly zerosStartInsideFrame: boolean;
  readonly zerosReachTheEnd: boolean;
}

/**
 * - `clean`: there is no tail
 * - `blank`: unwritten preallocated space
 * - `torn`: a write that did not finish
 * - `rot`: a frame that is there and is wrong; valid frames may follow it
 */
export type TailClass = 'clean' | 'blank' | 'torn' | 'rot';

/** What recovery may do about a tail. */
export type TailAction = 'none' | 'discard_tail' | 'preserve';

/** What a scan found wrong, as the node reports it. */
export interface IntegrityVerdict {
  readonly reason: 'incomplete' | 'bad_magic' | 'bad_crc' | 'bad_payload';
  readonly position: number;
  readonly unreadableBytes: number;
  readonly sealed: boolean;
}

export function readTailShape(source: ByteSource, validBytes: number): TailShape {
  const trailingBytes = source.size - validBytes;
  const windowBytes = Math.min(TAIL_WINDOW_BYTES, trailingBytes);
  return tailShape(readBytes(source, validBytes, windowBytes), validBytes, trailingBytes);
}

/** @param window the first bytes of the tail, at most 65536. */
export function tailShape(window: Uint8Array, position: number, trailingBytes: number): TailShape {
  let writtenBytes = window.length;
  while (writtenBytes > 0 && window[writtenBytes - 1] === 0) writtenBytes--;
  const zerosReachTheEnd = writtenBytes < window.length;
  return {
    position,
    trailingBytes,
    writtenBytes,
    blankTailBytes: zerosReachTheEnd ? trailingBytes - writtenBytes : 0,
    zerosStartInsideFrame:
      window.length >= FRAME_HEADER_BYTES &&
      startsWithMagic(window) &&
      writtenBytes < FRAME_HEADER_BYTES + readU32(window, 2),
    zerosReachTheEnd,
  };
}

/**
 * What the bytes past the last valid frame are (`classify_tail/2`). Known to be wrong where a rotted
 * record ends in zeros or its length field rotted upwards; `beyond` shows what then is still whole.
 */
export function classifyTail(halt: Halt, shape: TailShape): TailClass {
  switch (halt) {
    case 'eof':
      return shape.trailingBytes === 0 ? 'clean' : 'torn';
    case 'blank':
      return 'blank';
    case 'bad_magic':
    case 'bad_crc':
    case 'bad_payload':
      return shape.zerosStartInsideFrame && shape.zerosReachTheEnd ? 'torn' : 'rot';
  }
}

/** What recovery may do about it (`action_for/2`). */
export function actionFor(tail: TailClass, sealed: boolean): TailAction {
  if (tail === 'clean' || tail === 'blank') return 'none';
  return tail === 'torn' && !sealed ? 'discard_tail' : 'preserve';
}

/**
 * The node's verdict on a scanned file; `null` when nothing is wrong.
 *
 * @param preallocates whether the store runs with preallocation: a blank tail is then not unreadable.
 */
export function integrityVerdict(
  halt: Halt,
  shape: TailShape,
  sealed: boolean,
  preallocates: boolean,
): IntegrityVerdict | null {
  const tail = classifyTail(halt, shape);
  if (tail === 'clean' || tail === 'blank') return null;
  return {
    reason: tail === 'torn' || halt === 'eof' || halt === 'blank' ? 'incomplete' : halt,
    position: shape.position,
    unreadableBytes: shape.trailingBytes - (preallocates ? shape.blankTailBytes : 0),
    sealed,
  };
}
