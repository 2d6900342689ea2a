import { crc32 } from './crc32.js';
import { FRAME_HEADER_BYTES, MIN_PAYLOAD_BYTES } from './frame.js';
import { readU32, startsWithMagic } from './frame-header.js';
import { payloadParses } from './payload-parser.js';
import type { ScanState } from './scan-state.js';
import type { SidecarBuilder } from './sidecar.js';

/** Why a kernel stopped: at the record limit, at a frame it cannot see whole, or at a bad one. */
export type KernelStop = 'limit' | 'not_whole' | 'bad_crc' | 'bad_payload';

export interface KernelJob {
  readonly state: ScanState;
  /** Position in the file of the window's first byte. */
  readonly windowPosition: number;
  /** Bytes of the window that hold the file. */
  readonly windowLength: number;
  /** Whether a good checksum is not enough: inner lengths must lie inside the payload. */
  readonly parse: boolean;
  /** Stop in front of the record with this number in the file. */
  readonly recordLimit: number;
  /** Takes sidecar entries on the way. */
  readonly sidecar: SidecarBuilder | null;
}

export interface KernelAnswer {
  readonly stop: KernelStop;
  /** Bytes of the window that good frames took. */
  readonly consumed: number;
}

/** Checks frame after frame inside one window of memory, as far as they are whole there. */
export interface FrameKernel {
  /** Memory to read the file into. */
  readonly window: Uint8Array;
  run(job: KernelJob): KernelAnswer;
}

/** Bytes of the file that are held in memory at once. */
export const WINDOW_BYTES = 4 * 1024 * 1024;

/** The plain kernel: one checksum call a frame. */
export function createPlainKernel(windowBytes = WINDOW_BYTES): FrameKernel {
  const window = Buffer.alloc(windowBytes);
  return { window, run: (job) => runPlain(window, job) };
}

function runPlain(window: Uint8Array, job: KernelJob): KernelAnswer {
  const { state, windowPosition, windowLength, parse, recordLimit, sidecar } = job;
  let at = 0;
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
