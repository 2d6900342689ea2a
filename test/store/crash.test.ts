import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Disk } from '../../src/disk/disk.js';
import { segmentFiles } from '../../src/store/segment-files.js';
import { SegmentStore } from '../../src/store/segment-store.js';
import { forEachCrash } from '../helpers/crashes.js';
import { FaultyDisk } from '../helpers/faulty-disk.js';
import { goldenRoot } from '../helpers/golden.js';
import { newRecord, smallKernel, values } from '../helpers/store.js';
import { tempCopy, tempDirectory } from '../helpers/temp.js';

interface Run {
  readonly directory: string;
  /** Values appended, and how many of them a sync has acknowledged. */
  appended: string[];
  acknowledged: number;
}

/** Looking at what is left needs no real fsync. */
const fast = { disk: new FaultyDisk(), kernel: smallKernel };

const start = (from?: string, held: string[] = []): Run => ({
  directory: from === undefined ? tempDirectory() : tempCopy(from),
  appended: [...held],
  acknowledged: held.length,
});

function append(run: Run, store: SegmentStore, value: string): void {
  run.appended.push(value);
  expect(store.append(newRecord(value)).kind).toBe('appended');
}

function sync(run: Run, store: SegmentStore): void {
  store.sync();
  run.acknowledged = run.appended.length;
}

/** Every acknowledged record is there, then perhaps some of the others, in order and unchanged. */
function expectRecords(run: Run, where: string, preallocBytes: number): void {
  const files = segmentFiles(run.directory, 0n);
  if (run.acknowledged === 0 && !existsSync(files.logPath)) return;
  const { store } = SegmentStore.recover(files, { ...fast, preallocBytes });
  const found = values(store.read(0n).records);
  expect(found.length, where).toBeGreaterThanOrEqual(run.acknowledged);
  expect(found, where).toEqual(run.appended.slice(0, found.length));
  if (store.appendRefusal === null) {
    store.append(newRecord('after'));
    store.sync();
    expect(values(store.read(0n).records), where).toEqual([...found, 'after']);
  }
  store.close();
}

test.each([0, 256])(
  'a crash at any moment of append and sync loses no acknowledged record (preallocation %i)',
  (preallocBytes) => {
    const looks = forEachCrash<Run>({
      prepare: start,
      root: ({ directory }) => directory,
      work: (disk, run) => {
        const files = segmentFiles(run.directory, 0n);
        const store = SegmentStore.open(files, { disk, preallocBytes });
        append(run, store, 'first');
        append(run, store, 'second');
        sync(run, store);
        append(run, store, 'x'.repeat(300));
        sync(run, store);
        store.close();
      },
      check: (run, where) => {
        expectRecords(run, where, preallocBytes);
      },
    });
    expect(looks).toBeGreaterThanOrEqual(6 * 2 * 5);
  },
);

test.each([0, 256])(
  'a crash at any moment of seal leaves an open file, or a whole sealed one (preallocation %i)',
  (preallocBytes) => {
    forEachCrash<Run>({
      prepare: () => start(),
      root: ({ directory }) => directory,
      work: (disk, run) => {
        const files = segmentFiles(run.directory, 0n);
        const store = SegmentStore.open(files, { disk, preallocBytes, indexInterval: 1 });
        for (const value of ['first', 'second']) append(run, store, value);
        sync(run, store);
        append(run, store, 'third');
        store.seal();
        run.acknowledged = 3;
        store.close();
      },
      check: (run, where) => {
        const files = segmentFiles(run.directory, 0n);
        if (existsSync(files.sealedPath)) {
          expect(SegmentStore.verify(files, fast), where).toEqual({
            kind: 'ok',
            records: 3,
            bytes: statSync(files.logPath).size,
            indexEntries: 3,
          });
        }
        expectRecords(run, where, preallocBytes);
      },
    });
  },
);

test.each([
  { name: 'torn-payload', preallocBytes: 0 },
  // Longer than the record that is appended after it.
  { name: 'rot-length-up', preallocBytes: 0 },
  { name: 'torn-payload', preallocBytes: 4096 },
  { name: 'torn-header-9-bytes', preallocBytes: 4096 },
  { name: 'torn-prealloc-payload', preallocBytes: 131072 },
  { name: 'torn-prealloc-header', preallocBytes: 131072 },
  { name: 'torn-prealloc-below-window', preallocBytes: 131072 },
])(
  'a crash at any moment of recovery leaves a torn tail, not rot ($name, $preallocBytes)',
  ({ name, preallocBytes }) => {
    const from = join(goldenRoot, name);
    const options = { ...fast, preallocBytes };
    const untouched = SegmentStore.recover(segmentFiles(tempCopy(from), 0n), options);
    expect(untouched.report.action).toBe('discard_tail');
    const held = values(untouched.store.read(0n).records);
    untouched.store.close();

    forEachCrash<Run>({
      prepare: () => start(from, held),
      root: ({ directory }) => directory,
      work: (disk: Disk, run) => {
        const { store } = SegmentStore.recover(segmentFiles(run.directory, 0n), {
          ...options,
          disk,
        });
        append(run, store, 'new');
        sync(run, store);
        store.close();
      },
      check: (run, where) => {
        const { store, report } = SegmentStore.recover(segmentFiles(run.directory, 0n), options);
        expect(report.action, where).not.toBe('preserve');
        store.close();
        expectRecords(run, where, preallocBytes);
      },
    });
  },
);
