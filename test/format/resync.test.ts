import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ByteSource } from '../../src/format/byte-source.js';
import { memorySource } from '../../src/format/byte-source.js';
import { crc32 } from '../../src/format/crc32.js';
import { encodeFrame } from '../../src/format/frame.js';
import { createPlainKernel } from '../../src/format/frame-kernel.js';
import { beyondSteps, findFrames } from '../../src/format/resync.js';
import { runToEnd } from '../../src/format/walk.js';
import { damagedFile } from '../helpers/arbitraries.js';
import { naiveFrames } from '../helpers/naive-resync.js';
import { damage, randomBytes, randomFrom, randomSegment } from '../helpers/random.js';

const KIB = 1024;
const MIB = 1024 * KIB;

function found(source: ByteSource, from = 0, kernel = createPlainKernel(64)) {
  return [...findFrames(source, from, kernel)].filter((step) => typeof step !== 'number');
}

/** A source that counts what is read of it. */
function counted(bytes: Uint8Array): ByteSource & { bytesRead: number } {
  const source = memorySource(bytes);
  const counting = {
    size: source.size,
    bytesRead: 0,
    readInto(target: Uint8Array, position: number): void {
      counting.bytesRead += target.length;
      source.readInto(target, position);
    },
  };
  return counting;
}

/** Header and fixed fields of a frame of `length` payload bytes whose checksum is wrong. */
function candidate(length: number, headerCount = 0): Buffer {
  const bytes = Buffer.alloc(39);
  bytes.write('4d51', 'hex');
  bytes.writeUInt32BE(length, 2);
  bytes.writeUInt32BE(headerCount, 35);
  return bytes;
}

/** Gives the candidate at the front of these bytes the checksum of the `length` bytes behind its header. */
function forge(bytes: Buffer): Buffer {
  bytes.writeUInt32BE(crc32(bytes.subarray(10, 10 + bytes.readUInt32BE(2))), 6);
  return bytes;
}

function frame(offset: bigint, valueBytes: number): Uint8Array {
  const value = randomBytes(randomFrom(valueBytes), valueBytes);
  return encodeFrame({ offset, timestamp: 0n, key: null, value, headers: [] });
}

describe('resynchronising', () => {
  test('finds what its definition says in damaged files', () => {
    fc.assert(
      fc.property(damagedFile, fc.nat(50), (file, from) => {
        const frames = found(memorySource(file), from).map(({ position, bytes }) => ({
          position,
          bytes,
        }));
        expect(frames).toEqual(naiveFrames(file, from));
      }),
      { numRuns: 500 },
    );
  });

  test('finds what its definition says among overlapping candidates', () => {
    let frames = 0;
    for (let seed = 1; seed <= 2000; seed++) {
      const random = randomFrom(seed);
      const pieces: Buffer[] = [];
      for (let n = random(8); n > 0; n--) {
        const hostile = candidate(29 + random(200), random(2) ? random(8) : 0);
        pieces.push(hostile.subarray(0, random(3) ? 39 : random(39)));
        if (random(2)) pieces.push(damage(random, randomSegment(random, 0n)));
      }
      const file = Buffer.concat(pieces);
      // Some of the candidates get a good checksum, from the last one to the first.
      for (let at = file.length - 39; at >= 0; at--) {
        const rest = file.subarray(at);
        if (rest.readUInt16BE(0) !== 0x4d51 || rest.readUInt32BE(2) + 10 > rest.length) continue;
        if (random(3) === 0) forge(rest);
      }
      const expected = naiveFrames(file, 0);
      frames += expected.length;
      for (const kernel of [undefined, createPlainKernel(4096)]) {
        expect([seed, found(memorySource(file), 0, kernel)]).toMatchObject([seed, expected]);
      }
    }
    expect(frames).toBeGreaterThan(1000);
  });

  test('sums up frames, bytes, and what the first and the last one carry', () => {
    const file = Buffer.concat([Buffer.from('MQ?'), frame(7n, 5), Buffer.alloc(9), frame(3n, 1)]);
    expect(runToEnd(beyondSteps(memorySource(file), 1))).toEqual({
      frames: 2,
      bytes: 44 + 40,
      firstPosition: 3,
      firstOffset: 7n,
      lastOffset: 3n,
    });
    expect(runToEnd(beyondSteps(memorySource(Buffer.alloc(39)), 1))).toEqual({
      frames: 0,
      bytes: 0,
      firstPosition: null,
      firstOffset: null,
      lastOffset: null,
    });
  });
});

describe('hostile bytes cost no more than a few passes, and hide nothing', () => {
  // Payloads of 1 MiB every 39 bytes: reading each would take 50,000 passes.
  const overlapping = Buffer.alloc(39 * 54_000, candidate(MIB));

  test('overlapping candidates that all parse', () => {
    const large = forge(Buffer.concat([candidate(MIB), overlapping.subarray(0, MIB - 29)]));
    const file = Buffer.concat([overlapping, large, frame(1n, 100), overlapping, frame(2n, 0)]);
    const source = counted(file);
    expect(found(source, 1)).toMatchObject([
      { position: overlapping.length, bytes: MIB + 10 },
      { position: overlapping.length + large.length, bytes: 139, offset: 1n },
      { position: file.length - 39, bytes: 39, offset: 2n },
    ]);
    expect(source.bytesRead).toBeLessThan(12 * file.length);
  });

  test('candidates with long lists of headers', () => {
    const hostile = Buffer.alloc(39 * 27_000, candidate(MIB, 100_000));
    const file = Buffer.concat([hostile, Buffer.alloc(MIB), frame(4n, 10)]);
    const source = counted(file);
    expect(found(source)).toMatchObject([{ position: file.length - 49, offset: 4n }]);
    expect(source.bytesRead).toBeLessThan(12 * file.length);
  });

  test('a long list of headers that holds, and one that runs past the payload', () => {
    const list = forge(Buffer.concat([candidate(29 + 80_000, 10_000), Buffer.alloc(80_000)]));
    expect(found(memorySource(list))).toMatchObject([{ position: 0, bytes: list.length }]);
    list.writeUInt32BE(1, list.length - 4);
    expect(found(memorySource(forge(list)))).toEqual([]);
    list.writeUInt32BE(0, list.length - 4);
    list.writeUInt32BE(10_001, 35);
    expect(found(memorySource(forge(list)))).toEqual([]);
  });

  test.each([[[0x4d, 0x51, 0, 0xff, 0xff, 0xff]], [[0x4d, 0x51]]])(
    '%j again and again',
    (bytes) => {
      const file = Buffer.concat([Buffer.alloc(4 * MIB, Buffer.from(bytes)), frame(9n, 3)]);
      const source = counted(file);
      expect(found(source, 1, createPlainKernel())).toMatchObject([{ offset: 9n, bytes: 42 }]);
      expect(source.bytesRead).toBeLessThan(2 * file.length);
    },
  );
});
