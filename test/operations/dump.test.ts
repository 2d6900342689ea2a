import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/disk/disk.js';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { readBytes } from '../../src/format/byte-source.js';
import type { DumpEnd, DumpOptions } from '../../src/operations/dump/dump.js';
import { dumpSteps } from '../../src/operations/dump/dump.js';
import { resolveCopy } from '../../src/operations/dump/resolve-copy.js';
import { goldenCases } from '../helpers/golden.js';
import { encodeIndex, frameAt, framesOf, logName, writeLog } from '../helpers/log-files.js';
import { tempDirectory } from '../helpers/temp.js';

const ALL: DumpOptions = { fromOffset: 0n, limit: Infinity, reverse: false };

/** Dumps a path. @returns the frames' bytes, in the order in which they came, and the end. */
function dump(path: string, options: Partial<DumpOptions> = {}, disk: Disk = nodeDisk) {
  const { files } = resolveCopy(disk, path, {});
  const steps = dumpSteps(disk, files, { ...ALL, ...options });
  const frames: Buffer[] = [];
  const offsets: bigint[] = [];
  for (;;) {
    const step = steps.next();
    if (step.done === true) return { frames, offsets, end: step.value };
    if (typeof step.value === 'number') continue;
    const { source, record } = step.value;
    frames.push(Buffer.from(readBytes(source, record.position, record.bytes)));
    offsets.push(record.offset);
  }
}

describe.each(goldenCases)('$name', ({ logPath, directory, expected: { recover, beyond } }) => {
  test('its valid records, and its damage', () => {
    const { frames, end } = dump(directory);
    expect(Buffer.concat(frames)).toEqual(readFileSync(logPath).subarray(0, recover.valid_bytes));
    expect(end.records).toBe(recover.records);
    const damages = end.damages.map(({ reason, position, unreadableBytes, sealed, beyond }) => {
      return { reason, position, unreadable_bytes: unreadableBytes, sealed, behind: beyond.frames };
    });
    expect(damages).toEqual(
      recover.integrity ? [{ ...recover.integrity, behind: beyond.frames }] : [],
    );
  });

  test('the same in reverse', () => {
    const forwards = dump(logPath);
    const backwards = dump(logPath, { reverse: true });
    expect(backwards.frames).toEqual(forwards.frames.toReversed());
    expect(backwards.end).toEqual(forwards.end);
  });

  test('from any offset, whatever its index says', () => {
    const { offsets } = dump(logPath);
    for (const from of offsets) {
      const due = offsets.filter((offset) => offset >= from);
      expect(dump(directory, { fromOffset: from }).offsets).toEqual(due);
      const reverse = { fromOffset: from, reverse: true };
      expect(dump(directory, reverse).offsets).toEqual(due.toReversed());
      expect(dump(directory, { fromOffset: from, limit: 2 }).offsets).toEqual(due.slice(0, 2));
    }
  });
});

describe('a copy of several files', () => {
  const copyOf = (first: Buffer): string => {
    const directory = join(tempDirectory(), 'events-r0-s0');
    writeLog(directory, 0, first);
    writeLog(directory, 3, framesOf(3, 6));
    writeLog(directory, 6, Buffer.concat([framesOf(6, 8), Buffer.alloc(50)]));
    return directory;
  };
  const numbers = (offsets: readonly bigint[]) => offsets.map(Number);

  test('is one log', () => {
    const directory = copyOf(framesOf(0, 3));
    expect(numbers(dump(directory).offsets)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(numbers(dump(directory, { fromOffset: 2n, limit: 3 }).offsets)).toEqual([2, 3, 4]);
    expect(numbers(dump(directory, { reverse: true, limit: 4 }).offsets)).toEqual([7, 6, 5, 4]);
    expect(numbers(dump(directory, { fromOffset: 9n }).offsets)).toEqual([]);
  });

  test('a damage ends its file, and no other', () => {
    const damaged = framesOf(0, 3);
    damaged.fill(1, 44, 60);
    const { offsets, end } = dump(copyOf(damaged));
    expect(numbers(offsets)).toEqual([0, 3, 4, 5, 6, 7]);
    expect(end.damages).toMatchObject([
      { reason: 'bad_magic', position: 44, beyond: { frames: 1 } },
    ]);
  });

  test('what cannot be read ends its file, and no other', () => {
    const directory = copyOf(framesOf(0, 3));
    const broken: Disk = {
      ...nodeDisk,
      open: (path, mode) => nodeDisk.open(path.replace(logName(3), 'none'), mode),
    };
    const { offsets, end } = dump(directory, {}, broken);
    expect(numbers(offsets)).toEqual([0, 1, 2, 6, 7]);
    expect(end.errors).toMatchObject([{ path: join(directory, logName(3)), code: 'ENOENT' }]);
  });
});

test('a single file may have any name', () => {
  const path = join(tempDirectory(), 'rescued.bin');
  writeFileSync(path, framesOf(7, 9));
  expect(dump(path).offsets).toEqual([7n, 8n]);
  expect(dump(path, { fromOffset: 8n }).offsets).toEqual([8n]);
});

describe('of a sealed file of 64 MiB, little is read', () => {
  const RECORDS = 65_536;
  /** Writes it with an index of every eighth frame. */
  function largeFile(): string {
    const directory = join(tempDirectory(), 'events-r0-s0');
    const path = writeLog(directory, 0, new Uint8Array());
    const fd = openSync(path, 'w');
    const value = Buffer.alloc(1024 - frameAt(0, '').length, 'v');
    for (let first = 0; first < RECORDS; first += 4096) {
      writeSync(fd, framesOf(first, first + 4096, value));
    }
    closeSync(fd);
    const entries = Array.from({ length: RECORDS / 8 }, (_, n) => {
      return { offset: BigInt(n * 8), position: BigInt(n * 8 * 1024) };
    });
    writeFileSync(join(directory, logName(0, '.idx')), encodeIndex(entries));
    return directory;
  }

  function counting(): Disk & { bytes: number } {
    const disk = {
      ...nodeDisk,
      bytes: 0,
      read(fd: number, target: Uint8Array, position: number): number {
        const read = nodeDisk.read(fd, target, position);
        disk.bytes += read;
        return read;
      },
    };
    return disk;
  }

  test('from an offset, at the front, and at the end', () => {
    const directory = largeFile();
    const cases: [Partial<DumpOptions>, number, number][] = [
      [{ fromOffset: 60_001n, limit: 10 }, 60_001, 1 << 20],
      [{ fromOffset: 9_001n, limit: 10 }, 9_001, 1 << 20],
      [{ limit: 10 }, 0, 64 << 10],
      [{ reverse: true, limit: 10 }, RECORDS - 1, 1 << 20],
    ];
    for (const [options, first, most] of cases) {
      const disk = counting();
      const { offsets } = dump(directory, options, disk);
      expect(offsets[0]).toBe(BigInt(first));
      expect(offsets).toHaveLength(10);
      expect(disk.bytes).toBeLessThanOrEqual(most);
    }
    const reversed: DumpEnd = dump(directory, { fromOffset: 1n, reverse: true }).end;
    expect(reversed).toMatchObject({ records: RECORDS - 1, damages: [] });
  });
});
