import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Disk } from '../../src/disk/disk.js';
import { Log } from '../../src/store/log.js';
import type { LogOptions } from '../../src/store/log-options.js';
import { SegmentStore } from '../../src/store/segment-store.js';
import { forEachCrash } from '../helpers/crashes.js';
import { FaultyDisk } from '../helpers/faulty-disk.js';
import { newRecord, smallKernel, values } from '../helpers/store.js';
import { tempDirectory } from '../helpers/temp.js';

interface Run {
  readonly directory: string;
  /** Records that a sync has acknowledged: the values `0`, `1`, and so on. */
  acknowledged: number;
  /** Where a cut that returned has put the end. */
  cutTo?: number;
}

/** Two records of 40 bytes fill a file. */
const options: LogOptions = {
  segmentBytes: 80,
  preallocBytes: 100,
  indexInterval: 1,
  kernel: smallKernel,
};
/** Looking at what is left needs no real fsync. */
const fast = { ...options, disk: new FaultyDisk() };

function appendUpTo(run: Run, disk: Disk, end: number): Log {
  const { log } = Log.open(run.directory, { ...options, disk });
  for (let n = Number(log.nextOffset); n < end; n++) log.append(newRecord(String(n)));
  log.sync();
  run.acknowledged = end;
  return log;
}

function withRecords(end: number): Run {
  const run: Run = { directory: tempDirectory(), acknowledged: 0 };
  appendUpTo(run, fast.disk, end).close();
  return run;
}

/** The log reads from 0 to its end in one piece, and verifies; answers the records it holds. */
function heldRecords(run: Run, where: string): number {
  const { log } = Log.open(run.directory, fast);
  const { records, end } = log.read(0n);
  expect(end, where).toBe('end');
  expect(values(records), where).toEqual(records.map((_, n) => String(n)));
  expect(log.nextOffset, where).toBe(BigInt(records.length));
  log.close();
  for (const files of log.files) {
    expect(SegmentStore.verify(files, fast).kind, where).toBe('ok');
    if (existsSync(join(run.directory, 'SEALED'))) {
      expect(existsSync(files.sealedPath), where).toBe(true);
    }
  }
  const stems = new Set(log.files.map(({ logPath }) => logPath.slice(0, -4)));
  const isStray = (name: string) =>
    name.endsWith('.sealed') && !stems.has(join(run.directory, name.slice(0, -7)));
  expect(readdirSync(run.directory).filter(isStray), where).toEqual([]);
  return records.length;
}

test('a crash at any moment of a roll loses no acknowledged record', () => {
  forEachCrash<Run>({
    prepare: () => withRecords(1),
    root: ({ directory }) => directory,
    work: (disk, run) => {
      const log = appendUpTo(run, disk, 2);
      log.append(newRecord('2'));
      run.acknowledged = 2;
      log.sync();
      run.acknowledged = 3;
      log.close();
    },
    check: (run, where) => {
      expect(heldRecords(run, where), where).toBeGreaterThanOrEqual(run.acknowledged);
      const again = appendUpTo(run, fast.disk, 5);
      expect(values(again.read(0n).records).join(''), where).toBe('01234');
      again.close();
    },
  });
});

test('a crash at any moment of sealing a log leaves it whole, and sealing it again finishes', () => {
  forEachCrash<Run>({
    prepare: () => withRecords(3),
    root: ({ directory }) => directory,
    work: (disk, run) => {
      const { log } = Log.open(run.directory, { ...options, disk });
      log.seal();
      log.close();
    },
    check: (run, where) => {
      expect(heldRecords(run, where), where).toBe(3);
      const { log } = Log.open(run.directory, fast);
      log.seal();
      log.close();
      expect(existsSync(join(run.directory, 'SEALED')), where).toBe(true);
      expect(heldRecords(run, where), where).toBe(3);
    },
  });
});

test.each([7, 4, 1])(
  'a crash at any moment of a cut to %i leaves a log that holds every record below it, and the cut can be made again',
  (end) => {
    forEachCrash<Run>({
      prepare: () => withRecords(7),
      root: ({ directory }) => directory,
      work: (disk, run) => {
        const { log } = Log.open(run.directory, { ...options, disk });
        log.truncate(BigInt(end));
        run.cutTo = end;
        log.close();
      },
      check: (run, where) => {
        const held = heldRecords(run, where);
        expect(held, where).toBeGreaterThanOrEqual(end);
        expect(held, where).toBeLessThanOrEqual(run.cutTo ?? 7);
        const { log } = Log.open(run.directory, fast);
        log.truncate(BigInt(end));
        log.close();
        expect(heldRecords(run, where), where).toBe(end);
      },
    });
  },
);
