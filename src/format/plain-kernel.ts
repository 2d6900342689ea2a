import { crc32 } from './crc32.js';
import { FRAME_HEADER_BYTES, KEY_LENGTH_AT, MIN_PAYLOAD_BYTES } from './frame.js';
import { readU32, startsWithMagic } from './frame-header.js';
import type { FrameKernel, KernelAnswer, KernelJob } from './frame-kernel.js';
import { payloadParses } from './payload-parser.js';

/**
 * Bytes of a file that are held in memory at once. Small enough that what a read brings is still in the
 * processor's cache when it is checked; large enough that the JavaScript around each window stays rare: else
 * compiling it takes the cores from the scan.
 */
export const WINDOW_BYTES = 1024 * 1024;

/** The plain kernel: one checksum call a frame. The other kernel answers as this one does. */
export function createPlainKernel(windowBytes = WINDOW_BYTES): FrameKernel {
  const window = Buffer.alloc(windowBytes);
  return {
    window,
    run: (job) => runPlain(window, job),
    findCandidate: (at, end, room) => findPlain(window, at, end, room),
    checksum: (at, length) => crc32(window.subarray(at, at + length)),
  };
}

/** Checks the frames of a window from `from` on with plain means. */
export function runPlain(window: Uint8Array, job: KernelJob, from = 0): KernelAnswer {
  const { state, windowPosition, windowLength, parse, recordLimit, sidecar } = job;
  let at = from;
  for (;;) {
    if (state.records >= recordLimit) return { stop: 'limit', consumed: at };
    const payloadAt = at + FRAME_HEADER_BYTES;
    if (payloadAt > windowLength || !startsWithMagic(window, at)) break;
    const length = readU32(window, at + 2);
    if (length < MIN_PAYLOAD_BYTES || payloadAt + length > windowLength) break;
    const payload = window.subarray(payloadAt, payloadAt + length);
    if (crc32(payload) !== readU32(window, at + 6)) return { stop: 'bad_crc', consumed: at };
    if (parse && !payloadParses(payload)) return { stop: 'bad_payload', consumed: at };
    sidecar?.offer(payload, windowPosition + at);
    state.account(payload, windowPosition + at);
    at = payloadAt + length;
  }
  return { stop: 'not_whole', consumed: at };
}

function findPlain(window: Uint8Array, from: number, end: number, room: number): number {
  const keyLengthAt = FRAME_HEADER_BYTES + KEY_LENGTH_AT;
  let at = from;
  for (; at + FRAME_HEADER_BYTES <= end; at++) {
    if (!startsWithMagic(window, at)) continue;
    const length = readU32(window, at + 2);
    if (length < MIN_PAYLOAD_BYTES || at + FRAME_HEADER_BYTES + length > room) continue;
    if (at + keyLengthAt + 4 > end) return at;
    if (readU32(window, at + keyLengthAt) <= length - MIN_PAYLOAD_BYTES) return at;
  }
  return at;
}
