import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memorySource } from '../../src/format/byte-source.js';
import { crc32OfSuffix } from '../../src/format/crc32-combine.js';
import { referenceCrc32 } from '../../src/format/crc32.js';
import { PAGE_BYTES, PageCache } from '../../src/format/page-cache.js';
import { PrefixChecksums } from '../../src/format/prefix-checksums.js';
import { runToEnd } from '../../src/format/walk.js';
import { randomBytes, randomFrom } from '../helpers/random.js';

const bytes = randomBytes(randomFrom(1), 70_001);

test('a suffix’s checksum follows from those of the whole and of what is in front', () => {
  fc.assert(
    fc.property(fc.nat(70_001), fc.nat(70_001), (a, b) => {
      const [cut, end] = a < b ? [a, b] : [b, a];
      const suffix = bytes.subarray(cut, end);
      const whole = referenceCrc32(bytes.subarray(0, end));
      const prefix = referenceCrc32(bytes.subarray(0, cut));
      expect(crc32OfSuffix(whole, prefix, suffix.length)).toBe(referenceCrc32(suffix));
    }),
  );
});

test('a suffix may have millions of bytes', () => {
  const zeros = new Uint8Array(20_000_003);
  const front = Buffer.from('123456789');
  const whole = referenceCrc32(zeros, referenceCrc32(front));
  expect(crc32OfSuffix(whole, 0xcbf43926, zeros.length)).toBe(referenceCrc32(zeros));
});

test.each([
  [1, undefined],
  [1000, undefined],
  [PAGE_BYTES, 3],
  [100_000, 1],
])(
  'the table gives the checksum of any range, made in pieces of %i bytes, with at most %s entries',
  (pieceBytes, maxEntries) => {
    const source = memorySource(bytes);
    const pages = new PageCache(source);
    const start = 5000;
    const piece = new Uint8Array(pieceBytes);
    const prefixes = runToEnd(PrefixChecksums.build(source, pages, start, piece, maxEntries));
    const random = randomFrom(pieceBytes);
    const ends = [start, 8191, 8192, 8193, bytes.length];
    for (let n = 0; n < 500; n++) ends.push(start + random(bytes.length - start + 1));
    for (const [n, a] of ends.entries()) {
      const b = ends[(n * 7 + 3) % ends.length] ?? start;
      const [from, to] = a < b ? [a, b] : [b, a];
      expect(prefixes.checksum(from, to - from)).toBe(referenceCrc32(bytes.subarray(from, to)));
    }
  },
);

test('a field is read wherever it lies, across pages and up to the file’s end', () => {
  const pages = new PageCache(memorySource(bytes));
  const random = randomFrom(9);
  const places = [0, PAGE_BYTES - 3, PAGE_BYTES - 1, PAGE_BYTES, bytes.length - 4];
  for (let n = 0; n < 500; n++) places.push(random(bytes.length - 3));
  for (const place of places) expect(pages.u32(place)).toBe(bytes.readUInt32BE(place));
});

test('a page whose read failed is read again', () => {
  const source = memorySource(bytes);
  let fails = true;
  const pages = new PageCache({
    size: source.size,
    readInto(target, position) {
      if (fails) throw new Error('EIO');
      source.readInto(target, position);
    },
  });
  expect(() => pages.u32(10)).toThrow('EIO');
  fails = false;
  expect(pages.u32(10)).toBe(bytes.readUInt32BE(10));
});
