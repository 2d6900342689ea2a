import type { ByteSource } from './byte-source.js';
import { CandidateCheck } from './candidate-check.js';
import { FRAME_HEADER_BYTES, MIN_FRAME_BYTES } from './frame.js';
import { readU32 } from './frame-header.js';
import type { FrameKernel } from './frame-kernel.js';
import { createKernel } from './frame-kernel.js';

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

/**
 * Sums up the valid frames from `from` to the end of the file; yields the position reached now and then.
 *
 * @param onFrame sees each frame.
 * @param kernel as for `findFrames`.
 */
export function* beyondSteps(
  source: ByteSource,
  from: number,
  onFrame?: (frame: FoundFrame) => void,
  kernel?: FrameKernel,
): Generator<number, Beyond> {
  let frames = 0;
  let bytes = 0;
  let first: FoundFrame | null = null;
  let last: FoundFrame | null = null;
  for (const found of findFrames(source, from, kernel)) {
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

/**
 * Finds every valid frame from `from` on: where a magic, a length of 29 or more, the whole payload, its
 * inner lengths and its checksum all hold, it goes on at the frame's end; elsewhere one byte later.
 * Yields frames, and numbers (the position reached) while it searches.
 *
 * @param kernel searches in its window, of 64 bytes at least, which nothing else may use meanwhile; to
 *   make one is slow next to searching a small file.
 */
export function* findFrames(
  source: ByteSource,
  from: number,
  kernel: FrameKernel = createKernel(),
): Generator<FoundFrame | number, void> {
  const { window } = kernel;
  const check = new CandidateCheck(source, from);
  let position = from;
  while (position + MIN_FRAME_BYTES <= source.size) {
    const room = source.size - position;
    const end = Math.min(window.length, room);
    source.readInto(window.subarray(0, end), position);
    let at = kernel.findCandidate(0, end, room);
    while (at + FRAME_HEADER_BYTES <= end) {
      const length = readU32(window, at + 2);
      const frameAt = position + at;
      const outlook = check.outlook(frameAt, length);
      let holds = outlook !== 'refused';
      if (holds) {
        const checksum =
          check.checksumNow(frameAt, length, kernel, at, end) ??
          (yield* check.checksum(frameAt, length));
        holds = checksum === readU32(window, at + 6);
      }
      if (holds && outlook === 'headers') holds = yield* check.headersParse(frameAt, length);
      if (holds) {
        const offset = check.u64(frameAt + FRAME_HEADER_BYTES);
        yield { position: frameAt, bytes: FRAME_HEADER_BYTES + length, offset };
      }
      at += holds ? FRAME_HEADER_BYTES + length : 1;
      if (at < end) at = kernel.findCandidate(at, end, room);
    }
    position += at;
    yield position;
  }
}
