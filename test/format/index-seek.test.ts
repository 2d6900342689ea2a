import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memorySource } from '../../src/format/byte-source.js';
import type { ByteSource } from '../../src/format/byte-source.js';
import { seekByIndex } from '../../src/format/index-seek.js';
import type { FrameIndexEntry } from '../helpers/log-files.js';
import { encodeIndex, frameAt, framesOf } from '../helpers/log-files.js';

const BASE = 100;

/**
 * A file with many small records, some large ones, and one whose value is a log of its own that goes on
 * with offsets like those of the file.
 */
const EMBEDDED = framesOf(1400, 3000, 'embedded');
const frames = Array.from({ length: 2000 }, (_, n) => {
  if (n === 1200) return frameAt(BASE + n, EMBEDDED);
  return frameAt(BASE + n, 'x'.repeat(n % 50 === 0 ? 20_000 : 400));
});
const file = Buffer.concat(frames);
const positions = new Map<number, number>();
frames.reduce((position, { length }, n) => {
  positions.set(position, BASE + n);
  return position + length;
}, 0);
const honest: FrameIndexEntry[] = [...positions]
  .filter((_, n) => n % 8 === 0)
  .map(([position, offset]) => ({ offset: BigInt(offset), position: BigInt(position) }));

function counting(source: ByteSource): ByteSource & { bytes: number } {
  const counted = {
    size: source.size,
    bytes: 0,
    readInto(target: Uint8Array, position: number) {
      counted.bytes += target.length;
      source.readInto(target, position);
    },
  };
  return counted;
}

const seek = (entries: readonly FrameIndexEntry[], target: number): number =>
  seekByIndex(memorySource(file), memorySource(encodeIndex(entries)), BigInt(BASE), BigInt(target));

test('an honest index leads near the record, with little reading', () => {
  for (const target of [1290, 1400, 1777, 2099]) {
    const source = counting(memorySource(file));
    const sidecar = counting(memorySource(encodeIndex(honest)));
    const position = seekByIndex(source, sidecar, BigInt(BASE), BigInt(target));
    const offset = positions.get(position) ?? -1;
    expect(offset).toBeLessThanOrEqual(target);
    expect(offset).toBeGreaterThan(target - 8);
    expect(source.bytes + sidecar.bytes).toBeLessThan(50_000);
  }
});

test('near the start, and for an offset before the first, nothing is gained', () => {
  expect(seek(honest, 110)).toBe(0);
  expect(seek(honest, 0)).toBe(0);
  expect(seek([], 2000)).toBe(0);
});

const hostPosition = frames.slice(0, 1200).reduce((sum, { length }) => sum + length, 0);
const embeddedAt = file.indexOf(EMBEDDED, hostPosition);

test.each<[string, FrameIndexEntry[]]>([
  ['a wrong offset', honest.map((entry) => ({ ...entry, offset: entry.offset - 1n }))],
  [
    'a place inside a frame',
    honest.map(({ offset, position }) => ({ offset, position: position + 3n })),
  ],
  ['a place past the end', honest.map(({ offset }) => ({ offset, position: BigInt(file.length) }))],
  ['a place past every file', honest.map(({ offset }) => ({ offset, position: 2n ** 63n }))],
  ['a single entry at a frame of the value', [{ offset: 1400n, position: BigInt(embeddedAt) }]],
  [
    'entries that agree with each other, all at frames of the value',
    Array.from({ length: 1600 }, (_, n) => ({
      offset: BigInt(1400 + n),
      position: BigInt(embeddedAt + n * frameAt(0, 'embedded').length),
    })),
  ],
])('an index that lies is not believed: %s', (_, entries) => {
  expect(seek(entries, 1400)).toBe(0);
  expect(seek(entries, 2000)).toBe(0);
});

test('whatever an index says, reading starts at a frame of the file that is not past the record', () => {
  const anyPosition = fc.oneof(
    fc.nat(file.length + 100),
    fc.constantFrom(...positions.keys()),
    fc.nat(1599).map((n) => embeddedAt + n * frameAt(0, 'embedded').length),
  );
  const anyEntry = fc.oneof(
    fc.constantFrom(...honest),
    fc.record({
      offset: fc.integer({ min: 0, max: 3100 }).map(BigInt),
      position: anyPosition.map(BigInt),
    }),
  );
  const anyIndex = fc.oneof(
    fc.array(anyEntry, { maxLength: 20 }),
    fc
      .array(anyEntry, { maxLength: 20 })
      .map((entries) =>
        entries.sort((a, b) => Number(a.offset - b.offset || a.position - b.position)),
      ),
    fc.tuple(fc.nat(honest.length - 1), anyEntry).map(([at, lie]) => honest.with(at, lie)),
  );
  fc.assert(
    fc.property(anyIndex, fc.integer({ min: 0, max: 3100 }), (entries, target) => {
      const offset = positions.get(seek(entries, target));
      expect(offset).toBeDefined();
      if (offset !== BASE) expect(offset).toBeLessThanOrEqual(target);
    }),
    { numRuns: 300 },
  );
});

test('past many frames, the entries in front of it vouch for an entry', () => {
  const small = framesOf(0, 40_000, 'small');
  const frameBytes = frameAt(0, 'small').length;
  const entries = Array.from({ length: 400 }, (_, n) => {
    return { offset: BigInt(n * 100), position: BigInt(n * 100 * frameBytes) };
  });
  const start = (index: readonly FrameIndexEntry[]): number =>
    seekByIndex(memorySource(small), memorySource(encodeIndex(index)), 0n, 39_950n);
  expect(start(entries)).toBe(39_900 * frameBytes);
  expect(
    start(entries.with(398, { offset: 39_800n, position: 39_801n * BigInt(frameBytes) })),
  ).toBe(0);
  expect(start(entries.slice(399))).toBe(0);
});
