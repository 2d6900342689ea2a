import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memorySource } from '../../src/format/byte-source.js';
import { FRAME_HEADER_BYTES, decodePayload, encodeFrame } from '../../src/format/frame.js';
import type { SegmentRecord } from '../../src/format/frame.js';
import { createKernel } from '../../src/format/frame-kernel.js';
import { classifyTail, readTailShape } from '../../src/format/tail.js';
import { runToEnd, walkSteps } from '../../src/format/walk.js';
import { damagedFile } from '../helpers/arbitraries.js';
import { goldenCases } from '../helpers/golden.js';

const KERNELS = [1, 7, 4096, 4 * 1024 * 1024].map((bytes) => createKernel(bytes));

function walk(file: Uint8Array, kernel = KERNELS[3], recordLimit = Infinity) {
  if (!kernel) throw new Error('no such kernel');
  const options = { baseOffset: 0n, parse: true, recordLimit };
  return runToEnd(walkSteps(memorySource(file), kernel, options));
}

describe('a walk', () => {
  test('answers the same whatever is read at once', () => {
    fc.assert(
      fc.property(damagedFile, (file) => {
        const [first, ...others] = KERNELS.map((kernel) => walk(file, kernel));
        for (const other of others) expect(other).toEqual(first);
      }),
      { numRuns: 500 },
    );
  });

  test('ends in front of the record that the limit names', () => {
    const frame = encodeFrame({
      offset: 0n,
      timestamp: 0n,
      key: null,
      value: Buffer.from('v'),
      headers: [],
    });
    const file = Buffer.concat([frame, frame, frame]);
    for (const kernel of KERNELS) {
      expect(walk(file, kernel, 2)).toMatchObject({ halt: 'limit', validBytes: 2 * frame.length });
      expect(walk(file, kernel, 3)).toMatchObject({ halt: 'eof', validBytes: 3 * frame.length });
      expect(walk(file, kernel, 0)).toMatchObject({ halt: 'limit', validBytes: 0 });
    }
  });

  test('shows the bytes of the good frames and no others', () => {
    fc.assert(
      fc.property(damagedFile, fc.constantFrom(...KERNELS), (file, kernel) => {
        const seen: Buffer[] = [];
        const onValidBytes = (bytes: Uint8Array): void => void seen.push(Buffer.from(bytes));
        const options = { baseOffset: 0n, parse: true, onValidBytes };
        const { validBytes } = runToEnd(walkSteps(memorySource(file), kernel, options));
        expect(Buffer.concat(seen).equals(file.subarray(0, validBytes))).toBe(true);
      }),
    );
  });
});

test('one flipped bit in a clean file is a finding, or changes no record', () => {
  const clean = goldenCases.filter(
    ({ expected }) => expected.recover.classification === 'clean' && expected.recover.records > 0,
  );
  expect(clean.length).toBeGreaterThan(10);
  for (const { logPath, name } of clean) {
    const original = readFileSync(logPath);
    const records = recordsOf(original);
    const step = Math.max(1, Math.floor((original.length * 8) / 4000));
    for (let bit = 0; bit < original.length * 8; bit += step) {
      const file = Buffer.from(original);
      file[bit >> 3] = (file[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const { halt, validBytes } = walk(file);
      if (halt === 'limit') throw new Error('no limit was set');
      const found = ['torn', 'rot'].includes(
        classifyTail(halt, readTailShape(memorySource(file), validBytes)),
      );
      if (!found) expect([name, bit, recordsOf(file)]).toEqual([name, bit, records]);
    }
  }
});

function recordsOf(file: Uint8Array): (SegmentRecord | null)[] {
  const { validBytes } = walk(file);
  const view = Buffer.from(file.buffer, file.byteOffset, file.length);
  const records = [];
  for (let at = 0; at < validBytes;) {
    const end = at + FRAME_HEADER_BYTES + view.readUInt32BE(at + 2);
    records.push(decodePayload(file.subarray(at + FRAME_HEADER_BYTES, end)));
    at = end;
  }
  return records;
}
