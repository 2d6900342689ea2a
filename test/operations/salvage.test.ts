import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { memorySource } from '../../src/format/byte-source.js';
import { encodeFrame } from '../../src/format/frame.js';
import { createPlainKernel } from '../../src/format/frame-kernel.js';
import type { FoundFrame } from '../../src/format/resync.js';
import { runToEnd, walkSteps } from '../../src/format/walk.js';
import { findSalvageSteps } from '../../src/operations/salvage/find-salvage.js';
import type { SalvageFindings } from '../../src/operations/salvage/ledger.js';
import { damagedFile } from '../helpers/arbitraries.js';
import { goldenCases } from '../helpers/golden.js';
import { frameAt, framesOf, recordAt } from '../helpers/log-files.js';

interface Salvaged {
  readonly offsets: number[];
  readonly log: Buffer;
  readonly frames: FoundFrame[];
  readonly findings: SalvageFindings;
}

function salvage(
  file: Uint8Array,
  includeOutOfSequence = false,
  baseOffset: bigint | null = null,
): Salvaged {
  const steps = findSalvageSteps(memorySource(file), { includeOutOfSequence, baseOffset });
  const frames: FoundFrame[] = [];
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      const bytes = frames.map(({ position, bytes }) => file.subarray(position, position + bytes));
      const offsets = frames.map(({ offset }) => Number(offset));
      return { offsets, frames, log: Buffer.concat(bytes), findings: step.value };
    }
    if (typeof step.value === 'object') frames.push(step.value);
  }
}

/** Flips one bit of a copy. */
function flip(bytes: Uint8Array, at: number, mask = 1): Buffer {
  const flipped = Buffer.from(bytes);
  flipped.writeUInt8(flipped.readUInt8(at) ^ mask, at);
  return flipped;
}

const leftOut = ({ findings }: Salvaged) =>
  findings.outOfSequence.list.map(({ offset, reason }) => [Number(offset), reason]);

test.each(goldenCases)('$name: what is valid in front of and behind the damage', (golden) => {
  const { logPath, expected } = golden;
  const { recover, beyond } = expected;
  const { log, findings } = salvage(readFileSync(logPath), true);
  expect(findings.records).toBe(recover.records + beyond.frames);
  expect(log.length).toBe(recover.valid_bytes + beyond.bytes);
  if (beyond.frames > 0) expect(findings.lastOffset).toBe(beyond.last_offset);
  const { damaged, blankTailBytes } = findings;
  expect(damaged.bytes + blankTailBytes).toBe(recover.trailing_bytes - beyond.bytes);
  expect(damaged.count > 0).toBe(recover.integrity !== null);
});

describe('several damages', () => {
  const frames = Array.from({ length: 9 }, (_, n) => frameAt(n));
  const whole = (at: number): Uint8Array => frames[at] ?? new Uint8Array();

  test('keep what is between them', () => {
    const file = Buffer.concat([
      ...frames.slice(0, 2),
      flip(whole(2), 40),
      whole(3),
      Buffer.alloc(whole(4).length),
      whole(5),
      flip(whole(6), 0),
      whole(7),
      whole(8).subarray(0, 20),
    ]);
    const { offsets, findings } = salvage(file);
    expect(offsets).toEqual([0, 1, 3, 5, 7]);
    const { damaged, blankTailBytes } = findings;
    expect(damaged.count).toBe(4);
    expect(damaged.bytes + blankTailBytes).toBe(3 * whole(0).length + 20);
    expect(findings.missing).toEqual({
      offsets: 3n,
      list: [2n, 4n, 6n].map((offset) => ({ first: offset, last: offset })),
    });
  });

  test('records that are missing in front are known by the first offset that is due', () => {
    const file = Buffer.concat([flip(whole(0), 12), flip(whole(1), 12), whole(2)]);
    expect(salvage(file, false, 0n).findings.missing.list).toEqual([{ first: 0n, last: 1n }]);
    expect(salvage(file).findings.missing.list).toEqual([]);
    // A file under a later name keeps its records all the same.
    expect(salvage(file, false, 9n).offsets).toEqual([2]);
  });

  test('a blank tail is no damage', () => {
    const file = Buffer.concat([flip(whole(0), 12), whole(1), Buffer.alloc(500)]);
    const { offsets, findings } = salvage(file);
    expect(offsets).toEqual([1]);
    expect(findings).toMatchObject({ blankTailBytes: 500, damaged: { count: 1 } });
  });
});

describe('stale frames', () => {
  test('an offset that is not above the last one kept', () => {
    const file = Buffer.concat([framesOf(0, 3), framesOf(1, 4)]);
    const salvaged = salvage(file);
    expect(salvaged.offsets).toEqual([0, 1, 2, 3]);
    expect(leftOut(salvaged)).toEqual([
      [1, 'not_above_last'],
      [2, 'not_above_last'],
    ]);
    expect(salvage(file, true).offsets).toEqual([0, 1, 2, 1, 2, 3]);
  });

  const inner = framesOf(7, 9);
  const host = frameAt(1, Buffer.concat([Buffer.from('front'), inner, Buffer.from('back')]));
  const behind = framesOf(2, 5);
  const withHost = (damaged: Uint8Array): Buffer =>
    Buffer.concat([framesOf(0, 1), damaged, behind]);

  test.each([
    ['its payload', flip(host, host.length - 6)],
    ['its checksum', flip(host, 7)],
    ['its magic', flip(host, 0)],
    ['its length, upwards', flip(host, 2, 0x40)],
    ['its length, a little', flip(host, 5, 0x40)],
    ['its length, downwards', flip(host, 5, 0x10)],
    ['the length of its value', flip(host, 10 + 17 + 4 + 3, 0x20)],
    ['the length of its key', flip(host, 10 + 17, 0x20)],
  ])('a frame in the value of a record that rotted in %s', (_, damaged) => {
    const salvaged = salvage(withHost(damaged));
    expect(salvaged.offsets).toEqual([0, 2, 3, 4]);
    expect(leftOut(salvaged)).toEqual([
      [7, 'inside_damaged_record'],
      [8, 'inside_damaged_record'],
    ]);
    expect(salvage(withHost(damaged), true).offsets).toEqual([0, 7, 8, 2, 3, 4]);
  });

  test('a frame in the value of a record whose lengths agree, in front of a magic that rotted', () => {
    const file = Buffer.concat([
      framesOf(0, 1),
      flip(host, host.length - 6),
      flip(frameAt(2), 0),
      framesOf(3, 5),
    ]);
    expect(salvage(file).offsets).toEqual([0, 3, 4]);
    expect(leftOut(salvage(file)).map(([offset]) => offset)).toEqual([7, 8]);
  });

  test('a frame in the value of a record that rotted in its length and its value', () => {
    const salvaged = salvage(withHost(flip(flip(host, 5, 0x40), host.length - 6)));
    expect(salvaged.offsets).toEqual([0, 2, 3, 4]);
    expect(leftOut(salvaged).map(([offset]) => offset)).toEqual([7, 8]);
  });

  test('a frame in the value of a record of which only the length rotted, in front of a magic that did', () => {
    const file = Buffer.concat([
      framesOf(0, 1),
      flip(host, 5, 0x40),
      flip(frameAt(2), 0),
      framesOf(3, 5),
    ]);
    expect(salvage(file).offsets).toEqual([0, 3, 4]);
    expect(leftOut(salvage(file)).map(([offset]) => offset)).toEqual([7, 8]);
  });

  test('a frame in the value of a record that is whole is no frame', () => {
    const salvaged = salvage(withHost(host));
    expect(salvaged.offsets).toEqual([0, 1, 2, 3, 4]);
    expect(leftOut(salvaged)).toEqual([]);
  });

  test('a frame in the value of a torn record', () => {
    const file = Buffer.concat([framesOf(0, 1), host.subarray(0, host.length - 6)]);
    const salvaged = salvage(file);
    expect(salvaged.offsets).toEqual([0]);
    expect(leftOut(salvaged).map(([offset]) => offset)).toEqual([7, 8]);
  });

  test('a frame in the second of two damaged records', () => {
    const file = Buffer.concat([
      framesOf(0, 1),
      flip(frameAt(1), 20),
      flip(host, 7),
      framesOf(3, 4),
    ]);
    const salvaged = salvage(file);
    expect(salvaged.offsets).toEqual([0, 3]);
    expect(leftOut(salvaged).map(([offset]) => offset)).toEqual([7, 8]);
  });

  test('a frame in a damaged value that reaches over the next record does not hide it', () => {
    const next = framesOf(2, 3);
    const tail = Buffer.from('tail');
    const reaching = frameAt(9, Buffer.concat([tail, Buffer.alloc(4), next]));
    const start = reaching.subarray(0, reaching.length - 4 - next.length - 4);
    // The record ends inside what looks like a frame from its value on.
    const record = encodeFrame(recordAt(1, start));
    const file = Buffer.concat([
      framesOf(0, 1),
      flip(record, 7),
      next,
      Buffer.alloc(4),
      framesOf(3, 4),
    ]);
    const salvaged = salvage(file);
    expect(leftOut(salvaged)).toEqual([[9, 'inside_damaged_record']]);
    expect(salvaged.offsets).toEqual([0, 2, 3]);
  });

  test('equal records, one of whose lengths rotted to the end of a later one, are all kept', () => {
    // 64 bytes each: a flipped bit makes the length reach exactly to the end of the next frame.
    const frame = (offset: number): Uint8Array => frameAt(offset, 'v'.repeat(25));
    expect(frame(0)).toHaveLength(64);
    const file = Buffer.concat([frame(0), flip(frame(1), 5, 0x40), frame(2), frame(3), frame(4)]);
    expect(salvage(file).offsets).toEqual([0, 2, 3, 4]);
  });
});

test('what is salvaged is a clean log of frames of the file, with offsets that ascend', () => {
  const kernel = createPlainKernel(4096);
  fc.assert(
    fc.property(damagedFile, (file) => {
      const { log, frames, findings } = salvage(file);
      const walk = runToEnd(walkSteps(memorySource(log), kernel, { baseOffset: 0n, parse: true }));
      expect(walk).toMatchObject({ halt: 'eof', validBytes: log.length });
      expect(walk.state.records).toBe(findings.records);
      frames.forEach(({ offset, position }, n) => {
        const before = frames[n - 1];
        expect(before === undefined || offset > before.offset).toBe(true);
        expect(before === undefined || position >= before.position + before.bytes).toBe(true);
      });
    }),
  );
});

test('every valid frame in front of the first damage is kept or named', () => {
  const kernel = createPlainKernel(4096);
  fc.assert(
    fc.property(damagedFile, (file) => {
      const walk = runToEnd(walkSteps(memorySource(file), kernel, { baseOffset: 0n, parse: true }));
      const all = salvage(file, true);
      expect(all.log.subarray(0, walk.validBytes)).toEqual(file.subarray(0, walk.validBytes));
      const { records, outOfSequence } = salvage(file).findings;
      expect(records + outOfSequence.count).toBe(all.findings.records);
    }),
  );
});
