import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/disk/disk.js';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { StorageError } from '../../src/errors.js';
import type { MadeCopy } from '../helpers/copies.js';
import { makeCopy, quickDirectory } from '../helpers/copies.js';
import type { DiskCall } from '../helpers/faulty-disk.js';
import { FaultyDisk } from '../helpers/faulty-disk.js';
import { SCENARIOS, expectReadable, restoreAll, settle } from '../helpers/settling.js';
import { readTree } from '../helpers/tree.js';

/** Every operation that the work asks for fails once, each in a run of its own. */
function forEachFailure(
  code: string,
  isMeant: (call: DiskCall) => boolean,
  prepare: () => MadeCopy,
  work: (disk: Disk, copy: MadeCopy) => void,
  check: (copy: MadeCopy, failed: DiskCall) => void,
): number {
  for (let nth = 1; ; nth++) {
    const copy = prepare();
    let seen = 0;
    let failed: DiskCall | undefined;
    const disk = new FaultyDisk().inject({ kind: 'fail', code }, (call) => {
      if (!isMeant(call) || ++seen !== nth) return false;
      failed = call;
      return true;
    });
    work(disk, copy);
    if (!failed) return nth - 1;
    const unclosed = failed.name === 'close' ? 1 : 0;
    expect(disk.openDescriptors, `${code} at ${failed.name} ${failed.path}`).toBe(unclosed);
    check(copy, failed);
  }
}

const FAULTS: [string, (call: DiskCall) => boolean][] = [
  ['EIO', () => true],
  ['ENOSPC', ({ changes }) => changes],
  ['EACCES', ({ name, changes }) => changes || name === 'open'],
];

describe.each(Object.entries(SCENARIOS))('%s', (_, { spec, kept }) => {
  const prepare = (): MadeCopy => makeCopy(quickDirectory(), spec);
  const untouched = (): Map<string, string> => readTree(prepare().logRoot);
  const settledCopy = (): MadeCopy => {
    const copy = prepare();
    settle(nodeDisk, copy);
    return copy;
  };

  test.each(FAULTS)('%s at any operation of settling loses nothing', (code, isMeant) => {
    const [before, after] = [untouched(), readTree(settledCopy().logRoot)];
    let result: ReturnType<typeof settle> | null = null;
    const failures = forEachFailure(
      code,
      isMeant,
      prepare,
      (disk, copy) => (result = settle(disk, copy)),
      (copy, failed) => {
        const where = `${code} at ${failed.name} ${failed.path}`;
        expect(result, where).toMatchObject({ outcome: 'failed', error: { code } });
        expectReadable(copy, kept, where);
        if (failed.path.startsWith(join(copy.root, 'quarantine'))) {
          expect(readTree(copy.logRoot), where).toEqual(before);
        }
        expect(settle(nodeDisk, copy).error, where).toBeNull();
        expect(readTree(copy.logRoot), where).toEqual(after);
        restoreAll(nodeDisk, copy);
        expect(readTree(copy.logRoot), where).toEqual(before);
      },
    );
    expect(failures).toBeGreaterThan(20);
  });

  test.each(FAULTS)('%s at any operation of restoring loses nothing', (code, isMeant) => {
    const before = untouched();
    let error: unknown = null;
    const failures = forEachFailure(
      code,
      isMeant,
      settledCopy,
      (disk, copy) => {
        error = null;
        try {
          restoreAll(disk, copy);
        } catch (thrown) {
          error = thrown;
        }
      },
      (copy, failed) => {
        const where = `${code} at ${failed.name} ${failed.path}`;
        expect(error, where).toBeInstanceOf(StorageError);
        expect(error, where).toMatchObject({ code, exitCode: 3 });
        expectReadable(copy, kept, where);
        restoreAll(nodeDisk, copy);
        expect(readTree(copy.logRoot), where).toEqual(before);
      },
    );
    expect(failures).toBeGreaterThan(2);
  });

  test('writes and reads that fall short change nothing about the end', () => {
    const copy = prepare();
    const before = readTree(copy.logRoot);
    const disk = new FaultyDisk()
      .inject({ kind: 'short', bytes: 7 }, ({ name }) => name === 'write')
      .inject({ kind: 'short', bytes: 11 }, ({ name }) => name === 'read');
    expect(settle(disk, copy).error).toBeNull();
    expect(readTree(copy.logRoot)).toEqual(readTree(settledCopy().logRoot));
    restoreAll(disk, copy);
    expect(readTree(copy.logRoot)).toEqual(before);
  });
});

test('a quarantine without room for what goes is found out first', () => {
  const copy = makeCopy(quickDirectory(), { end: 1, files: [{ base: 0, records: 3 }] });
  const before = readTree(copy.logRoot);
  const disk = new FaultyDisk();
  const full = new Proxy(disk, {
    get: (target, key: keyof Disk) =>
      key === 'freeBytes' ? () => 1000 : (Reflect.get(target, key).bind(target) as unknown),
  });
  expect(settle(full, copy)).toMatchObject({ outcome: 'failed', error: { code: 'ENOSPC' } });
  expect(readTree(copy.logRoot)).toEqual(before);
  expect(disk.calls.some(({ name }) => name === 'write')).toBe(false);
});
