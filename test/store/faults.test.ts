import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { segmentFiles, segmentFilesOf } from '../../src/store/segment-files.js';
import { SegmentStore } from '../../src/store/segment-store.js';
import { storageCode } from '../helpers/crashes.js';
import type { DiskCall } from '../helpers/faulty-disk.js';
import { FaultyDisk } from '../helpers/faulty-disk.js';
import { goldenCases, goldenRoot } from '../helpers/golden.js';
import { newRecord, sha256, smallKernel, values } from '../helpers/store.js';
import { tempCopy, tempDirectory } from '../helpers/temp.js';

const newFiles = () => segmentFiles(tempDirectory(), 0n);
const named = (name: DiskCall['name']) => (call: DiskCall) => call.name === name;
const fail = (code: string) => ({ kind: 'fail', code }) as const;

/** Recovers a file whose handle failed, and answers the values of its records. */
function recovered(files: ReturnType<typeof newFiles>): string[] {
  const { store } = SegmentStore.recover(files, { kernel: smallKernel });
  const found = values(store.read(0n).records);
  store.close();
  return found;
}

describe('a read error during recovery is a storage failure, never damage, and changes nothing', () => {
  const damaged = goldenCases.filter(({ expected }) => expected.recover.integrity !== null);

  test.each(damaged)('$name', ({ directory, logPath }) => {
    const options = { preallocBytes: 131072, kernel: smallKernel };
    const copy = () => segmentFilesOf(join(tempCopy(directory), basename(logPath)));
    const counting = new FaultyDisk();
    SegmentStore.recover(copy(), { ...options, disk: counting }).store.close();
    const reads = counting.calls.filter(named('read')).length;
    expect(reads).toBeGreaterThan(0);

    const files = copy();
    const before = sha256(files.logPath);
    for (let nth = 1; nth <= reads; nth++) {
      let seen = 0;
      const disk = new FaultyDisk();
      disk.inject(fail('EIO'), (call) => call.name === 'read' && ++seen === nth);
      expect(storageCode(() => SegmentStore.recover(files, { ...options, disk }))).toBe('EIO');
      expect(disk.changes).toBe(0);
      expect(disk.openDescriptors).toBe(0);
      expect(sha256(files.logPath)).toBe(before);
    }
  });
});

describe('a failure comes back with its code, and the handle is refused from then on', () => {
  test.each([
    { operation: 'write', code: 'ENOSPC' },
    { operation: 'sync', code: 'EIO' },
  ] as const)('$operation fails with $code', ({ operation, code }) => {
    const disk = new FaultyDisk();
    const store = SegmentStore.open(newFiles(), { disk });
    store.append(newRecord('safe'));
    store.sync();
    store.append(newRecord('buffered'));
    disk.inject(fail(code), named(operation), 1);
    expect(storageCode(() => store.sync())).toBe(code);
    for (const call of [
      () => store.sync(),
      () => store.append(newRecord('late')),
      () => store.read(0n),
      () => store.seal(),
    ]) {
      expect(storageCode(call)).toBe('EHANDLE');
    }
    const changes = disk.changes;
    store.close();
    expect(disk.changes).toBe(changes);
    expect(disk.openDescriptors).toBe(0);
    expect(recovered(store.files)[0]).toBe('safe');
  });

  test('an append that flushes by itself fails as the flush does', () => {
    const disk = new FaultyDisk();
    const store = SegmentStore.open(newFiles(), { disk, flushCount: 1 });
    disk.inject(fail('ENOSPC'), named('write'));
    expect(storageCode(() => store.append(newRecord('a')))).toBe('ENOSPC');
    store.close();
    expect(recovered(store.files)).toEqual([]);
  });

  test('a write that ran out of space half way leaves a torn record, which recovery discards', () => {
    const disk = new FaultyDisk();
    const store = SegmentStore.open(newFiles(), { disk });
    store.append(newRecord('safe'));
    store.sync();
    store.append(newRecord('torn'));
    disk.inject({ kind: 'short', bytes: 20 }, named('write'), 1);
    disk.inject(fail('ENOSPC'), named('write'));
    expect(storageCode(() => store.sync())).toBe('ENOSPC');
    store.close();
    expect(recovered(store.files)).toEqual(['safe']);
  });

  test('short reads and writes are completed', () => {
    const disk = new FaultyDisk();
    disk.inject({ kind: 'short', bytes: 7 }, ({ name }) => name === 'read' || name === 'write');
    const store = SegmentStore.open(newFiles(), { disk, preallocBytes: 100 });
    for (const value of ['a', 'bb', 'ccc']) store.append(newRecord(value));
    store.sync();
    expect(values(store.read(1n).records)).toEqual(['bb', 'ccc']);
    store.seal();
    store.close();
    expect(recovered(store.files)).toEqual(['a', 'bb', 'ccc']);
  });

  test.each(['open', 'fstat', 'lstat'] as const)(
    'recovery lets no descriptor go when %s fails',
    (name) => {
      const files = segmentFilesOf(join(goldenRoot, 'five-records', '0'.repeat(20) + '.log'));
      const disk = new FaultyDisk().inject(fail('EACCES'), named(name));
      expect(storageCode(() => SegmentStore.recover(files, { disk }))).toBe('EACCES');
      expect(disk.openDescriptors).toBe(0);
    },
  );

  test('recovery that its caller stops half way closes the file', () => {
    const files = segmentFilesOf(join(goldenRoot, 'large-record', '0'.repeat(20) + '.log'));
    const disk = new FaultyDisk();
    const steps = SegmentStore.recoverSteps(files, { disk, kernel: smallKernel });
    steps.next();
    expect(disk.openDescriptors).toBe(1);
    steps.return(undefined as never);
    expect(disk.openDescriptors).toBe(0);
  });
});

describe('preallocation', () => {
  const preallocBytes = 4096;

  test('that fails leaves a file that grows, at opening', () => {
    const disk = new FaultyDisk().inject({ kind: 'short', bytes: 1000 }, named('write'), 1);
    disk.inject(fail('ENOSPC'), named('write'), 1);
    const store = SegmentStore.open(newFiles(), { disk, preallocBytes });
    expect(statSync(store.files.logPath).size).toBe(0);
    store.append(newRecord('a'));
    store.close();
    expect(recovered(store.files)).toEqual(['a']);
  });

  test('that fails leaves the file at its size, at recovery', () => {
    const directory = tempCopy(join(goldenRoot, 'five-records'));
    const files = segmentFilesOf(join(directory, '0'.repeat(20) + '.log'));
    const before = readFileSync(files.logPath);
    const disk = new FaultyDisk().inject({ kind: 'short', bytes: 1000 }, named('write'), 1);
    disk.inject(fail('ENOSPC'), named('write'), 1);
    const { store } = SegmentStore.recover(files, { disk, preallocBytes: 131072 });
    expect(readFileSync(files.logPath)).toEqual(before);
    expect(store.append(newRecord('new')).kind).toBe('appended');
    store.close();
    expect(recovered(files)).toHaveLength(6);
  });

  test('that fails and cannot be undone refuses the handle', () => {
    const disk = new FaultyDisk().inject(fail('ENOSPC'), named('write'));
    disk.inject(fail('EIO'), named('truncate'));
    const open = () => SegmentStore.open(newFiles(), { disk, preallocBytes });
    expect(storageCode(open)).toBe('EIO');
    expect(disk.openDescriptors).toBe(0);
  });
});
