import type { ByteSource } from './byte-source.js';
import { isAllZero, readBytes } from './byte-source.js';
import { crc32 } from './crc32.js';
import { FRAME_HEADER_BYTES } from './frame.js';
import { judgeFront, readU32 } from './frame-header.js';
import type { FrameKernel } from './frame-kernel.js';
import { PayloadParser } from './payload-parser.js';
import { ScanState } from './scan-state.js';
import type { SidecarBuilder } from './sidecar.js';

/**
 * Why a walk ended: `eof` if the bytes ran out (at a frame's end or inside one), `blank` if nothing but
 * zeros is left, else the error of the frame it could not read.
 */
export type Halt = 'eof' | 'blank' | 'bad_magic' | 'bad_crc' | 'bad_payload';

export interface WalkOptions {
  /** Offset of the file's first record. */
  readonly baseOffset: bigint;
  /** Recovery parses a payload whose checksum holds; verification does not. */
  readonly parse: boolean;
  /** Stop in front of the record with this number in the file; default: none. */
  readonly recordLimit?: number;
  readonly sidecar?: SidecarBuilder;
  /** Sees the bytes of the good frames, in order and in pieces. */
  readonly onValidBytes?: (bytes: Uint8Array) => void;
}

export interface WalkResult {
  /** `limit` if the record limit ended the walk before the file did. */
  readonly halt: Halt | 'limit';
  /** Where the last good frame ended. */
  readonly validBytes: number;
  readonly state: ScanState;
}

/**
 * Reads frames from position 0 until the first answer that is no frame. Yields the position reached, now
 * and then, so that the caller can show progress or let others run.
 *
 * @throws StorageError if the source cannot be read: that is a storage failure, never damage.
 */
export function* walkSteps(
  source: ByteSource,
  kernel: FrameKernel,
  options: WalkOptions,
): Generator<number, WalkResult> {
  const state = new ScanState(options.baseOffset);
  const { parse, onValidBytes, sidecar = null, recordLimit = Infinity } = options;
  const { window } = kernel;
  let position = 0;
  const ended = (halt: WalkResult['halt']): WalkResult => ({ halt, validBytes: position, state });

  while (position < source.size) {
    const remaining = source.size - position;
    const windowLength = Math.min(window.length, remaining);
    source.readInto(window.subarray(0, windowLength), position);
    const job = { state, windowPosition: position, windowLength, parse, recordLimit, sidecar };
    const { stop, consumed } = kernel.run(job);
    if (consumed > 0) onValidBytes?.(window.subarray(0, consumed));
    position += consumed;
    yield position;
    if (stop === 'limit') return ended(position < source.size ? 'limit' : 'eof');
    if (stop !== 'not_whole') return ended(stop);

    const left = remaining - consumed;
    const headBytes = Math.min(FRAME_HEADER_BYTES, left);
    const head =
      consumed + headBytes <= windowLength
        ? window.subarray(consumed, consumed + headBytes)
        : readBytes(source, position, headBytes);
    const front = judgeFront(head, left);
    if (left === 0 || front === 'incomplete') return ended('eof');
    if (front === 'bad_magic') return ended('bad_magic');
    if (front === 'zeros') {
      return ended((yield* zerosReachEnd(source, window, position)) ? 'blank' : 'bad_magic');
    }
    if (consumed === 0) {
      const answer = yield* checkLargeFrame(source, window, position, options, state);
      if (typeof answer === 'string') return ended(answer);
      position = answer;
    }
  }
  return ended('eof');
}

/** Runs a walk, or any other stepwise work, to its end. */
export function runToEnd<T>(steps: Generator<unknown, T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** Whether nothing but zeros stands from a position to the end of the file; reads through `window`. */
export function* zerosReachEnd(
  source: ByteSource,
  window: Uint8Array,
  from: number,
): Generator<number, boolean> {
  for (let at = from; at < source.size; at += window.length) {
    const piece = window.subarray(0, Math.min(window.length, source.size - at));
    source.readInto(piece, at);
    if (!isAllZero(piece)) return false;
    yield at + piece.length;
  }
  return true;
}

/** Checks a frame that does not fit in the window, piece by piece; answers where it ends if it is good. */
function* checkLargeFrame(
  source: ByteSource,
  window: Uint8Array,
  position: number,
  options: WalkOptions,
  state: ScanState,
): Generator<number, 'bad_crc' | 'bad_payload' | number> {
  const head = readBytes(source, position, FRAME_HEADER_BYTES + 8);
  const length = readU32(head, 2);
  const parser = options.parse ? new PayloadParser(length) : null;
  const end = position + FRAME_HEADER_BYTES + length;
  let checksum = 0;
  for (let at = position + FRAME_HEADER_BYTES; at < end; at += window.length) {
    const piece = window.subarray(0, Math.min(window.length, end - at));
    source.readInto(piece, at);
    checksum = crc32(piece, checksum);
    parser?.push(piece);
    yield at + piece.length;
  }
  if (checksum !== readU32(head, 6)) return 'bad_crc';
  if (parser?.parses === false) return 'bad_payload';
  if (options.onValidBytes) yield* replay(source, window, position, end, options.onValidBytes);
  const payload = head.subarray(FRAME_HEADER_BYTES);
  options.sidecar?.offer(payload, position);
  state.account(payload, position);
  return end;
}

/** Shows the bytes of a large frame once it is known to be good. */
function* replay(
  source: ByteSource,
  window: Uint8Array,
  from: number,
  end: number,
  show: (bytes: Uint8Array) => void,
): Generator<number, void> {
  for (let at = from; at < end; at += window.length) {
    const piece = window.subarray(0, Math.min(window.length, end - at));
    source.readInto(piece, at);
    show(piece);
    yield at + piece.length;
  }
}
