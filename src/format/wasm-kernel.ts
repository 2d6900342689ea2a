import { crc32, hasNativeCrc32 } from './crc32.js';
import { readU32 } from './frame-header.js';
import type { FrameKernel, KernelAnswer, KernelJob, KernelStop } from './frame-kernel.js';
import { FRAME_HEADER_BYTES } from './frame.js';
import { runPlain } from './plain-kernel.js';
import { FRAME_KERNEL_WASM } from './wasm/frame-kernel-wasm.js';

const PAGE_BYTES = 65536;
const ENTRIES_AT = 32768;
const WINDOW_AT = 65536;
/** Farther than any window reaches. */
const BEYOND_WINDOW = 0x3fff_ffff;
const U64_LIMIT = 2n ** 64n;

/** Payloads of this many bytes or more are checked by zlib, which then is faster in spite of its call. */
const NATIVE_FROM_BYTES = 2048;

/** What the module exports; addresses and counts are i32, offsets and positions i64, room f64. */
interface KernelExports {
  prepare(): void;
  run(
    at: number,
    end: number,
    position: bigint,
    expected: bigint,
    limit: number,
    parse: number,
    indexAt: number,
    indexInterval: number,
    hostFrom: number,
  ): number;
  findCandidate(at: number, end: number, room: number): number;
  checksum(at: number, length: number): number;
  readonly at: WebAssembly.Global;
  readonly records: WebAssembly.Global;
  readonly lastFrame: WebAssembly.Global;
  readonly outOfSequence: WebAssembly.Global;
  readonly firstOutOfSequence: WebAssembly.Global;
  readonly entriesEnd: WebAssembly.Global;
}

/** By the number that `run` answers. */
const STOPS: readonly (KernelStop | 'entries_full')[] = [
  'not_whole',
  'limit',
  'bad_crc',
  'bad_payload',
  'entries_full',
];

let compiled: WebAssembly.Module | null = null;

/** A kernel in WebAssembly; `null` where that cannot start. */
export function createWasmKernel(windowBytes: number): FrameKernel | null {
  try {
    compiled ??= new WebAssembly.Module(Buffer.from(FRAME_KERNEL_WASM, 'base64'));
    const memory = new WebAssembly.Memory({
      initial: Math.ceil((WINDOW_AT + windowBytes) / PAGE_BYTES),
    });
    const bytes = Buffer.from(memory.buffer);
    const checksum = (at: number, length: number) => crc32(bytes.subarray(at, at + length));
    const instance = new WebAssembly.Instance(compiled, { host: { memory, checksum } });
    const module = instance.exports as unknown as KernelExports;
    module.prepare();
    return new WasmKernel(module, bytes, windowBytes);
  } catch {
    // No WebAssembly here, or no address space for its memory. The plain kernel does the same work.
    return null;
  }
}

class WasmKernel implements FrameKernel {
  readonly window: Uint8Array;
  readonly #module: KernelExports;
  readonly #bytes: Buffer;

  constructor(module: KernelExports, bytes: Buffer, windowBytes: number) {
    this.#module = module;
    this.#bytes = bytes;
    this.window = bytes.subarray(WINDOW_AT, WINDOW_AT + windowBytes);
  }

  run(job: KernelJob): KernelAnswer {
    let consumed = 0;
    for (;;) {
      // Past 2^64-1 no offset is in sequence; the module's 64 bits would start again at zero.
      if (job.state.nextOffset + BigInt(this.window.length) >= U64_LIMIT) {
        return runPlain(this.window, job, consumed);
      }
      const stop = this.#runFrom(job, consumed);
      consumed = this.#module.at.value - WINDOW_AT;
      if (stop !== 'entries_full') return { stop, consumed };
    }
  }

  findCandidate(at: number, end: number, room: number): number {
    const found = this.#module.findCandidate(WINDOW_AT + at, WINDOW_AT + end, room - at);
    return found - WINDOW_AT;
  }

  checksum(at: number, length: number): number {
    if (length >= NATIVE_FROM_BYTES) return crc32(this.window.subarray(at, at + length));
    return this.#module.checksum(WINDOW_AT + at, length) >>> 0;
  }

  #runFrom(job: KernelJob, from: number): KernelStop | 'entries_full' {
    const { state, windowPosition, windowLength, sidecar } = job;
    const module = this.#module;
    const positionOfZero = windowPosition - WINDOW_AT;
    const answer = module.run(
      WINDOW_AT + from,
      WINDOW_AT + windowLength,
      BigInt(positionOfZero),
      state.nextOffset,
      Math.min(job.recordLimit - state.records, BEYOND_WINDOW),
      job.parse ? 1 : 0,
      sidecar ? clamp(sidecar.nextPosition - positionOfZero) : BEYOND_WINDOW,
      sidecar ? clamp(sidecar.interval) : BEYOND_WINDOW,
      hasNativeCrc32 ? NATIVE_FROM_BYTES : BEYOND_WINDOW,
    );
    const records = module.records.value;
    if (records > 0) {
      state.firstOffset ??= this.#offsetAt(WINDOW_AT + from);
      state.lastOffset = this.#offsetAt(module.lastFrame.value);
      state.records += records;
    }
    const outOfSequence = module.outOfSequence.value;
    if (outOfSequence > 0) {
      state.outOfSequence += outOfSequence;
      state.firstOutOfSequencePosition ??= positionOfZero + module.firstOutOfSequence.value;
    }
    sidecar?.append(this.#bytes.subarray(ENTRIES_AT, module.entriesEnd.value));
    const stop = STOPS[answer];
    if (stop === undefined) throw new RangeError(`no stop has the number ${answer}`);
    return stop;
  }

  #offsetAt(frameAt: number): bigint {
    const at = frameAt + FRAME_HEADER_BYTES;
    return (BigInt(readU32(this.#bytes, at)) << 32n) | BigInt(readU32(this.#bytes, at + 4));
  }
}

function clamp(distance: number): number {
  return Math.max(0, Math.min(distance, BEYOND_WINDOW));
}
