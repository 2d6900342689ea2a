import { createPlainKernel, WINDOW_BYTES } from './plain-kernel.js';
import type { ScanState } from './scan-state.js';
import type { SidecarBuilder } from './sidecar.js';
import { createWasmKernel } from './wasm-kernel.js';

export { createPlainKernel, WINDOW_BYTES };

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

/** Does the work on each byte of a file, inside one window of memory. Serves one file after another. */
export interface FrameKernel {
  /** Memory to read the file into. */
  readonly window: Uint8Array;
  /** Checks frame after frame from the window's start, as far as they are whole there. */
  run(job: KernelJob): KernelAnswer;
  /**
   * First place from `at` on where a frame may start, as far as its header tells: a magic, a length of
   * 29 or more that the file has room for, and no key that is longer than the payload.
   *
   * @param end bytes of the window that hold the file.
   * @param room bytes of the file from the window's start to the file's end.
   * @returns the place, or, if there is none, the first one whose header is not whole in the window.
   */
  findCandidate(at: number, end: number, room: number): number;
  /** CRC-32 of a piece of the window. */
  checksum(at: number, length: number): number;
}

/** The fastest kernel that this platform can start. */
export function createKernel(windowBytes = WINDOW_BYTES): FrameKernel {
  return createWasmKernel(windowBytes) ?? createPlainKernel(windowBytes);
}
