import { existsSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memorySource } from '../../src/format/byte-source.js';
import { encodeFrame } from '../../src/format/frame.js';
import { readPage } from '../../src/store/page.js';
import { segmentFilesOf } from '../../src/store/segment-files.js';
import { SegmentStore } from '../../src/store/segment-store.js';
import { findEntry } from '../../src/store/sparse-index.js';
import { goldenCases } from '../helpers/golden.js';
import { newRecord, offsets, values } from '../helpers/store.js';
import { tempCopy } from '../helpers/temp.js';

const RECORDS = 40;
const BASE = 1000n;
const frames = Array.from({ length: RECORDS }, (_, n) =>
  encodeFrame({ ...newRecord('x'.repeat(n)), offset: BASE + BigInt(n) }),
);
const positions = frames.map((_, n) => Buffer.concat(frames.slice(0, n)).length);
const file = Buffer.concat(frames);

const encodeEntry = ([offset, position]: readonly [bigint, bigint]): Buffer => {
  const entry = Buffer.alloc(16);
  entry.writeBigUInt64BE(offset, 0);
  entry.writeBigUInt64BE(position, 8);
  return entry;
};

const anyU64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const offset = fc.oneof(fc.bigInt({ min: BASE - 2n, max: BASE + 42n }), anyU64);
const position = fc.oneof(
  fc.constantFrom(...positions).map(BigInt),
  fc.nat(file.length + 50).map(BigInt),
  anyU64,
);
/** Lying, empty, unsorted and cut sidecars. */
const sidecar = fc
  .tuple(fc.array(fc.tuple(offset, position).map(encodeEntry), { maxLength: 12 }), fc.nat(20))
  .map(([entries, cut]) => {
    const bytes = Buffer.concat(entries);
    return bytes.subarray(0, Math.max(0, bytes.length - cut));
  });

test('a read is right whatever the sidecar says', () => {
  fc.assert(
    fc.property(
      sidecar,
      fc.bigInt({ min: BASE - 2n, max: BASE + 42n }),
      fc.integer({ min: 1, max: 50 }),
      fc.nat(100),
      (index, from, maxRecords, blank) => {
        const source = memorySource(Buffer.concat([file, Buffer.alloc(blank)]));
        const first = Number(from < BASE ? 0n : from - BASE);
        const expected = Array.from({ length: RECORDS }, (_, n) => BASE + BigInt(n));
        const page = readPage(source, memorySource(index), from, { maxRecords });
        expect(offsets(page)).toEqual(expected.slice(first, first + maxRecords));
      },
    ),
    { numRuns: 2000 },
  );
});

test('a true index is used: the frames in front of the entry are not read', () => {
  const index = Buffer.concat(
    positions.map((at, n) => encodeEntry([BASE + BigInt(n), BigInt(at)])),
  );
  const broken = Buffer.from(file);
  broken.fill(0xff, 0, positions[30]);
  const page = readPage(memorySource(broken), memorySource(index), BASE + 35n);
  expect(offsets(page)).toEqual([35n, 36n, 37n, 38n, 39n].map((n) => BASE + n));
});

test('a first record past the asked offset means: read again from the start', () => {
  const jumping = [0n, 7n, 1n, 2n, 9n].map((n) => encodeFrame({ ...newRecord(''), offset: n }));
  const source = memorySource(Buffer.concat(jumping));
  const index = encodeEntry([1n, 2n * 39n]);
  expect(offsets(readPage(source, memorySource(index), 3n))).toEqual([7n, 9n]);
});

test('an entry that points at a frame inside a value is found out where the value ends', () => {
  const inner = encodeFrame({ ...newRecord('false'), offset: 5n });
  const outer = encodeFrame({ ...newRecord(Buffer.concat([inner, Buffer.from('…')])), offset: 0n });
  const rest = [1n, 2n, 3n, 4n, 5n].map((n) => encodeFrame({ ...newRecord('true'), offset: n }));
  const source = memorySource(Buffer.concat([outer, ...rest]));
  const index = encodeEntry([5n, BigInt(Buffer.from(outer).indexOf(inner))]);
  const { records } = readPage(source, memorySource(index), 5n);
  expect(values(records)).toEqual(['true']);
});

test('the last entry at or below an offset is found', () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyU64, { maxLength: 40 }), anyU64, (raw, wanted) => {
      const sorted = raw.sort((a, b) => (a < b ? -1 : 1));
      const index = memorySource(Buffer.concat(sorted.map((n) => encodeEntry([n, n]))));
      for (const asked of [wanted, ...sorted]) {
        const expected = sorted.findLast((n) => n <= asked);
        expect(findEntry(index, asked)?.offset).toBe(expected);
      }
    }),
  );
});

describe.each(goldenCases)('$name', ({ directory, logPath, expected }) => {
  test('reading gives the records that recovery counts, with the sidecar and without', () => {
    const files = segmentFilesOf(join(tempCopy(directory), basename(logPath)));
    const readAll = () => {
      const reader = SegmentStore.openRead(files);
      const all = reader.read(0n, { maxBytes: 1e9 });
      const fromEach = all.records.map((record) => offsets(reader.read(record.offset)).slice(0, 3));
      reader.close();
      return { count: all.records.length, end: all.end, fromEach };
    };
    const withSidecar = readAll();
    if (existsSync(files.sidecarPath)) unlinkSync(files.sidecarPath);
    const without = readAll();
    expect(without.count).toBe(expected.recover.records);
    expect(without.end).toBe(expected.recover.classification === 'clean' ? 'end' : 'no_frame');
    expect(withSidecar).toEqual(without);
    writeFileSync(files.sidecarPath, Buffer.from(expected.rebuilt_index_hex, 'hex'));
    expect(readAll()).toEqual(without);
  });
});
