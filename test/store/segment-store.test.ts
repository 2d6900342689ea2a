import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SegmentFiles } from '../../src/store/segment-files.js';
import { segmentFiles, segmentFilesOf } from '../../src/store/segment-files.js';
import { SegmentStore } from '../../src/store/segment-store.js';
import { storageCode } from '../helpers/crashes.js';
import { FaultyDisk } from '../helpers/faulty-disk.js';
import { goldenCases, goldenRoot } from '../helpers/golden.js';
import { newRecord, offsets, sha256, smallKernel, values } from '../helpers/store.js';
import { tempCopy, tempDirectory } from '../helpers/temp.js';

/** A frame of an empty record: 10 bytes of header and 29 of fields. */
const EMPTY_FRAME_BYTES = 39;

const newFiles = (baseOffset = 0n) => segmentFiles(tempDirectory(), baseOffset);
const size = (files: SegmentFiles) => statSync(files.logPath).size;
const golden = (name: string) =>
  segmentFilesOf(join(tempCopy(join(goldenRoot, name)), '0'.repeat(20) + '.log'));

describe('append, sync and read', () => {
  test('a record is on disk and readable once it is synced, not before', () => {
    const store = SegmentStore.open(newFiles(100n));
    expect(store.append(newRecord(''))).toEqual({ kind: 'appended', offset: 100n });
    expect(store.append(newRecord('b'))).toEqual({ kind: 'appended', offset: 101n });
    expect(store).toMatchObject({ nextOffset: 102n, safeEndOffset: 100n });
    expect(size(store.files)).toBe(0);
    expect(store.read(100n).records).toEqual([]);
    store.sync();
    expect(store.safeEndOffset).toBe(102n);
    expect(size(store.files)).toBe(2 * EMPTY_FRAME_BYTES + 1);
    expect(values(store.read(101n).records)).toEqual(['b']);
    store.close();
  });

  test.each([
    { options: { flushCount: 2 }, name: 'count' },
    { options: { flushBytes: 2 * EMPTY_FRAME_BYTES }, name: 'bytes' },
  ])('a full buffer is synced by itself: $name', ({ options }) => {
    const store = SegmentStore.open(newFiles(), options);
    store.append(newRecord(''));
    expect(store.safeEndOffset).toBe(0n);
    store.append(newRecord(''));
    expect(store.safeEndOffset).toBe(2n);
    store.append(newRecord(''));
    expect(store.safeEndOffset).toBe(2n);
    store.close();
  });

  test('a sync with nothing buffered does nothing', () => {
    const disk = new FaultyDisk();
    const store = SegmentStore.open(newFiles(), { disk });
    const { length } = disk.calls;
    store.sync();
    expect(disk.calls).toHaveLength(length);
    store.append(newRecord(''));
    store.sync();
    expect(disk.calls.slice(length).map(({ name }) => name)).toEqual(['write', 'sync']);
    store.close();
  });

  test('a reader sees the file as it was opened, and says so when it has become shorter', () => {
    const store = SegmentStore.open(newFiles());
    for (let n = 0; n < 2; n++) store.append(newRecord(''));
    store.sync();
    const reader = SegmentStore.openRead(store.files);
    store.append(newRecord(''));
    store.sync();
    expect(reader.fileBytes).toBe(2 * EMPTY_FRAME_BYTES);
    expect(offsets(reader.read(0n))).toEqual([0n, 1n]);
    truncateSync(store.files.logPath, EMPTY_FRAME_BYTES);
    expect(storageCode(() => reader.read(0n))).toBe('ECHANGED');
    expect(storageCode(() => reader.read(0n))).toBe('EHANDLE');
    reader.close();
    store.close();
  });

  test('a page keeps to its limits, and the first record comes whatever its size', () => {
    const store = SegmentStore.open(newFiles(), { indexInterval: 1 });
    for (let n = 0; n < 10; n++) store.append(newRecord('x'.repeat(n)));
    store.sync();
    expect(offsets(store.read(3n, { maxRecords: 2 }))).toEqual([3n, 4n]);
    expect(offsets(store.read(3n, { maxBytes: 1 }))).toEqual([3n]);
    const twoFrames = 2 * EMPTY_FRAME_BYTES + 3 + 4;
    expect(offsets(store.read(3n, { maxBytes: twoFrames }))).toEqual([3n, 4n]);
    expect(offsets(store.read(3n, { maxBytes: twoFrames - 1 }))).toEqual([3n]);
    expect(store.read(8n)).toMatchObject({ end: 'end', bytes: 2 * EMPTY_FRAME_BYTES + 8 + 9 });
    expect(store.read(10n)).toEqual({ records: [], end: 'end', bytes: 0 });
    expect(() => store.read(0n, { maxRecords: 0 })).toThrow(RangeError);
    expect(store.read(9n).records).toHaveLength(1);
    store.close();
  });

  test('a record that fits in no frame is refused and the handle goes on', () => {
    const store = SegmentStore.open(newFiles());
    expect(() => store.append(newRecord('', -1n))).toThrow(RangeError);
    expect(store.append(newRecord(''))).toEqual({ kind: 'appended', offset: 0n });
    store.close();
  });

  test('a file that is there is not opened anew, and keeps its marker', () => {
    const files = golden('rot-sealed');
    const before = readFileSync(files.logPath);
    expect(storageCode(() => SegmentStore.open(files))).toBe('EEXIST');
    expect(readFileSync(files.logPath)).toEqual(before);
    expect(existsSync(files.sealedPath)).toBe(true);
  });

  test('a marker and a sidecar without their file do not count for a new one', () => {
    const files = newFiles();
    writeFileSync(files.sealedPath, '');
    writeFileSync(files.sidecarPath, 'stale');
    SegmentStore.open(files).close();
    expect(existsSync(files.sealedPath) || existsSync(files.sidecarPath)).toBe(false);
  });

  test('a closed handle refuses, and may be closed again', () => {
    const store = SegmentStore.open(newFiles());
    store.close();
    store.close();
    expect(storageCode(() => store.append(newRecord('')))).toBe('EHANDLE');
    expect(storageCode(() => store.read(0n))).toBe('EHANDLE');
  });

  test('an offset past the last one is a wrong argument', () => {
    const store = SegmentStore.open(newFiles(2n ** 64n - 1n));
    expect(store.append(newRecord(''))).toEqual({ kind: 'appended', offset: 2n ** 64n - 1n });
    expect(() => store.append(newRecord(''))).toThrow(RangeError);
    store.close();
  });
});

describe('preallocation', () => {
  const options = { preallocBytes: 4096, kernel: smallKernel };

  test('a new file is sized at once, and cut to its frames when it is closed', () => {
    const store = SegmentStore.open(newFiles(), options);
    expect(readFileSync(store.files.logPath)).toEqual(Buffer.alloc(4096));
    store.append(newRecord(''));
    store.sync();
    expect(size(store.files)).toBe(4096);
    store.close();
    expect(size(store.files)).toBe(EMPTY_FRAME_BYTES);
  });

  test('a file grows past its preallocation where the records need it', () => {
    const store = SegmentStore.open(newFiles(), options);
    store.append(newRecord('x'.repeat(5000)));
    store.sync();
    expect(size(store.files)).toBe(EMPTY_FRAME_BYTES + 5000);
    store.close();
    expect(values(SegmentStore.openRead(store.files).read(0n).records)[0]).toHaveLength(5000);
  });

  test('a blank tail of another store is left at closing by one that does not preallocate', () => {
    const { store } = SegmentStore.recover(golden('prealloc-tail'));
    store.close();
    expect(size(store.files)).toBe(131072);
  });

  test('a preserved tail is neither extended nor cut, and appends are refused', () => {
    const files = golden('rot-middle-frame');
    const before = readFileSync(files.logPath);
    const { store, report } = SegmentStore.recover(files, options);
    expect(report.action).toBe('preserve');
    expect(store.append(newRecord(''))).toEqual({ kind: 'refused', reason: 'damaged_tail' });
    expect(store.read(0n).records).toHaveLength(report.state.records);
    store.close();
    expect(readFileSync(files.logPath)).toEqual(before);
  });

  test('data behind the blanked window is neither cut nor overwritten', () => {
    const { store, report } = SegmentStore.recover(golden('window-ends-in-zero'), options);
    expect(report).toMatchObject({ action: 'discard_tail', discardLeavesData: true });
    expect(store.append(newRecord(''))).toEqual({ kind: 'refused', reason: 'damaged_tail' });
    const before = sha256(store.files.logPath);
    store.close();
    expect(sha256(store.files.logPath)).toBe(before);
  });

  test.each(goldenCases.filter(({ expected }) => expected.recover.action !== 'preserve'))(
    'after recovery of $name, appends continue the log',
    ({ directory, logPath, expected: { recover }, sealed }) => {
      const files = segmentFilesOf(join(tempCopy(directory), logPath.split('/').pop() ?? ''));
      const { store } = SegmentStore.recover(files, { kernel: smallKernel });
      if (sealed) {
        expect(store.append(newRecord('new'))).toEqual({ kind: 'refused', reason: 'sealed' });
      } else {
        const offset = recover.next_offset;
        expect(store.append(newRecord('new'))).toEqual({ kind: 'appended', offset });
      }
      store.close();
      const again = SegmentStore.recover(files, { kernel: smallKernel });
      expect(again.report.state.records).toBe(recover.records + (sealed ? 0 : 1));
      again.store.close();
    },
  );
});

describe('seal', () => {
  test('syncs, cuts the blank tail, and leaves the sidecar and the marker', () => {
    const store = SegmentStore.open(newFiles(), { preallocBytes: 4096, indexInterval: 1 });
    for (const value of ['', '']) store.append(newRecord(value));
    store.seal();
    expect(size(store.files)).toBe(2 * EMPTY_FRAME_BYTES);
    expect(readFileSync(store.files.sidecarPath).toString('hex')).toBe(
      '00000000000000000000000000000000' + '00000000000000010000000000000027',
    );
    expect(readFileSync(store.files.sealedPath)).toHaveLength(0);
    expect(store.append(newRecord(''))).toEqual({ kind: 'refused', reason: 'sealed' });
    store.seal();
    expect(store.read(0n).records).toHaveLength(2);
    store.close();
    const options = { kernel: smallKernel };
    const verdict = { kind: 'ok', records: 2, bytes: 78, indexEntries: 2 };
    expect(SegmentStore.verify(store.files, options)).toEqual(verdict);
  });

  test('leaves a preserved tail where it is', () => {
    const files = golden('rot-middle-frame');
    const before = readFileSync(files.logPath);
    const { store } = SegmentStore.recover(files);
    store.seal();
    store.close();
    expect(readFileSync(files.logPath)).toEqual(before);
    expect(existsSync(files.sealedPath)).toBe(true);
  });
});
