import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import wabtInit from 'wabt';
import { memorySource } from '../../src/format/byte-source.js';
import { crc32, referenceCrc32 } from '../../src/format/crc32.js';
import { encodeFrame } from '../../src/format/frame.js';
import type { FrameKernel } from '../../src/format/frame-kernel.js';
import { createKernel, createPlainKernel } from '../../src/format/frame-kernel.js';
import { SidecarBuilder } from '../../src/format/sidecar.js';
import type { WalkOptions } from '../../src/format/walk.js';
import { runToEnd, walkSteps } from '../../src/format/walk.js';
import { createWasmKernel } from '../../src/format/wasm-kernel.js';
import { FRAME_KERNEL_WASM } from '../../src/format/wasm/frame-kernel-wasm.js';
import { goldenCases } from '../helpers/golden.js';
import { damage, randomBytes, randomFrom, randomSegment } from '../helpers/random.js';

// 150 bytes hold a frame or two: the next one straddles the window's end.
const READ_SIZES = [1, 7, 150, 4096, 4 * 1024 * 1024];
const MAX_U64 = 2n ** 64n - 1n;

function wasmKernel(windowBytes: number): FrameKernel {
  const kernel = createWasmKernel(windowBytes);
  if (!kernel) throw new Error('WebAssembly does not start here');
  return kernel;
}

function walk(file: Uint8Array, kernel: FrameKernel, options: WalkOptions, interval: number) {
  const sidecar = new SidecarBuilder(interval);
  const result = runToEnd(walkSteps(memorySource(file), kernel, { ...options, sidecar }));
  return { ...result, sidecar: Buffer.from(sidecar.bytes()).toString('hex') };
}

test('the module is what its text compiles to', async () => {
  const text = readFileSync(
    new URL('../../src/format/wasm/frame-kernel.wat', import.meta.url),
    'utf8',
  );
  const { buffer } = (await wabtInit()).parseWat('frame-kernel.wat', text).toBinary({});
  expect(FRAME_KERNEL_WASM).toBe(Buffer.from(buffer).toString('base64'));
});

test('the known checksum of nine digits', () => {
  const digits = Buffer.from('123456789');
  const kernel = wasmKernel(64);
  kernel.window.set(digits);
  expect([crc32(digits), referenceCrc32(digits), kernel.checksum(0, 9)]).toEqual(
    Array(3).fill(0xcbf43926),
  );
});

test('checksums of 0 to 5000 bytes at every alignment are the reference’s', () => {
  const kernel = wasmKernel(8192);
  const bytes = randomBytes(randomFrom(5), 5000);
  const expected = Array.from({ length: 5001 }, (_, n) => referenceCrc32(bytes.subarray(0, n)));
  expect(expected.map((_, n) => crc32(bytes.subarray(0, n)))).toEqual(expected);
  for (let alignment = 0; alignment < 16; alignment++) {
    kernel.window.fill(255);
    kernel.window.set(bytes, alignment);
    expect(expected.map((_, n) => kernel.checksum(alignment, n))).toEqual(expected);
  }
});

test('frames of every payload length around the hand-over to zlib hold', () => {
  const frames: Uint8Array[] = [];
  for (let length = 0; length < 5000; length += length < 60 ? 1 : 13) {
    const value = randomBytes(randomFrom(length), length);
    const offset = BigInt(frames.length);
    frames.push(encodeFrame({ offset, timestamp: 0n, key: null, value, headers: [] }));
  }
  const file = Buffer.concat(frames);
  const { state, halt } = walk(file, createKernel(), { baseOffset: 0n, parse: true }, 4096);
  expect([halt, state.records, state.outOfSequence]).toEqual(['eof', frames.length, 0]);
});

test('both kernels agree on 10,000 damaged files at every read size', () => {
  const reference = createPlainKernel(8192);
  const kernels = READ_SIZES.map(wasmKernel);
  const halts = new Map<string, number>();
  for (let seed = 1; seed <= 10_000; seed++) {
    const random = randomFrom(seed);
    const baseOffset = [0n, 7n, 2n ** 32n - 2n, MAX_U64 - 2n, MAX_U64][random(5)] ?? 0n;
    const file = damage(random, damage(random, randomSegment(random, baseOffset)));
    const options = {
      baseOffset,
      parse: random(4) > 0,
      recordLimit: random(4) ? Infinity : random(5),
    };
    const interval = [0, 1, 100, 4096, 2 ** 40][random(5)] ?? 0;
    const expected = walk(file, reference, options, interval);
    halts.set(expected.halt, (halts.get(expected.halt) ?? 0) + 1);
    for (const [n, kernel] of kernels.entries()) {
      const found = walk(file, kernel, options, interval);
      if (JSON.stringify(plain(found)) !== JSON.stringify(plain(expected))) {
        expect({ seed, readSize: READ_SIZES[n], ...found }).toEqual({ ...expected });
      }
    }
  }
  // The files are worth the comparison only if they end in every way.
  expect([...halts.keys()].sort()).toEqual(
    ['bad_crc', 'bad_magic', 'bad_payload', 'blank', 'eof', 'limit'].sort(),
  );
  for (const count of halts.values()) expect(count).toBeGreaterThan(100);
});

function plain({ halt, validBytes, state, sidecar }: ReturnType<typeof walk>): unknown[] {
  return [
    halt,
    validBytes,
    state.records,
    String([state.firstOffset, state.lastOffset, state.nextOffset]),
    state.outOfSequence,
    state.firstOutOfSequencePosition,
    sidecar,
  ];
}

test('both kernels agree on every golden file at every read size', () => {
  const kernels = READ_SIZES.flatMap((bytes) => [wasmKernel(bytes), createPlainKernel(bytes)]);
  for (const { name, logPath, baseOffset } of goldenCases) {
    const file = readFileSync(logPath);
    for (const parse of [true, false]) {
      const answers = kernels
        .filter(({ window }) => window.length > 7 || file.length < 100_000)
        .map((kernel) => plain(walk(file, kernel, { baseOffset, parse }, 4096)));
      for (const answer of answers) expect([name, answer]).toEqual([name, answers.at(-1)]);
    }
  }
});

test('more sidecar entries than the module has room for', () => {
  const frames = Array.from({ length: 5000 }, (_, n) =>
    encodeFrame({
      offset: BigInt(n),
      timestamp: 0n,
      key: null,
      value: new Uint8Array(0),
      headers: [],
    }),
  );
  const file = Buffer.concat(frames);
  const options = { baseOffset: 0n, parse: true };
  const found = walk(file, createKernel(), options, 0);
  expect(found.sidecar.length / 32).toBe(5000);
  expect(plain(found)).toEqual(plain(walk(file, createPlainKernel(), options, 0)));
});

test('a candidate is found where a header may be, and the search ends where none is whole', () => {
  const plainKernel = createPlainKernel(512);
  const kernel = wasmKernel(512);
  const candidate = Buffer.from('4d5100000028'.padEnd(62, '0'), 'hex');
  const patterns = [Buffer.from('MQ'), candidate, Buffer.from('M'), Buffer.alloc(20)];
  let found = 0;
  for (let seed = 1; seed <= 2000; seed++) {
    const random = randomFrom(seed);
    const bytes = randomBytes(random, 512);
    for (let at = random(9); at + 6 < 512; at += random(60)) {
      const pattern = patterns[random(4)] ?? candidate;
      bytes.set(pattern.subarray(0, 512 - at), at);
    }
    kernel.window.set(bytes);
    plainKernel.window.set(bytes);
    const end = random(513);
    const room = end + random(100);
    for (let at = 0; at < end; at++) {
      const expected = plainKernel.findCandidate(at, end, room);
      if (kernel.findCandidate(at, end, room) !== expected) {
        expect([seed, at, kernel.findCandidate(at, end, room)]).toEqual([seed, at, expected]);
      }
      if (expected + 10 <= end) found++;
      at = expected;
    }
  }
  expect(found).toBeGreaterThan(1000);
});
