import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { quickDirectory } from '../helpers/copies.js';
import { forEachCrash, storageCode } from '../helpers/crashes.js';
import { FaultyDisk } from '../helpers/faulty-disk.js';
import { goldenCases } from '../helpers/golden.js';
import type { CopyInRoot } from '../helpers/recovering.js';
import { goldenCopy, recoverCopy, restoreAll } from '../helpers/recovering.js';
import { readTree } from '../helpers/tree.js';

const SCENARIOS = [
  { name: 'torn-payload', preallocBytes: 0 },
  { name: 'torn-payload', preallocBytes: 4096 },
  { name: 'torn-prealloc-payload', preallocBytes: 8192 },
  { name: 'five-records', preallocBytes: 4096 },
  { name: 'rot-length-up', preallocBytes: 0 },
];

describe.each(SCENARIOS)(
  '$name with preallocation of $preallocBytes',
  ({ name, preallocBytes }) => {
    const golden = goldenCases.find((one) => one.name === name);
    if (!golden) throw new Error(`no golden case ${name}`);
    const options = { preallocBytes, discardRecoverable: true };
    const prepare = (): CopyInRoot => goldenCopy(quickDirectory(), golden);
    const records = readFileSync(golden.logPath).subarray(0, golden.expected.recover.valid_bytes);

    /** What the copy is afterwards, whatever became of the toolkit's lock. */
    const filesOf = ({ directory }: CopyInRoot): Map<string, string> => readTree(directory);
    const expectRecords = ({ directory }: CopyInRoot, where: string): void => {
      const log = readdirSync(directory).find((file) => file.endsWith('.log')) ?? '';
      const found = readFileSync(join(directory, log)).subarray(0, records.length);
      expect(found.equals(records), where).toBe(true);
    };

    test('a crash at any step keeps every record, and one more run finishes', () => {
      const recovered = prepare();
      recoverCopy(nodeDisk, recovered, options);
      const after = filesOf(recovered);
      const before = filesOf(prepare());
      const crashes = forEachCrash<CopyInRoot>({
        prepare,
        root: ({ root }) => root,
        work: (disk, copy) => recoverCopy(disk, copy, options),
        check: (copy, where) => {
          expectRecords(copy, where);
          recoverCopy(nodeDisk, copy, options);
          expect(filesOf(copy), where).toEqual(after);
          restoreAll(nodeDisk, copy);
          expect(filesOf(copy), where).toEqual(before);
        },
      });
      expect(crashes).toBeGreaterThan(50);
    });

    test('a crash at any step can be undone at once', () => {
      const before = filesOf(prepare());
      forEachCrash<CopyInRoot>({
        prepare,
        root: ({ root }) => root,
        work: (disk, copy) => recoverCopy(disk, copy, options),
        check: (copy, where) => {
          if (existsSync(join(copy.root, 'quarantine'))) restoreAll(nodeDisk, copy);
          const left = filesOf(copy);
          left.delete('RECOVERING');
          for (const name of left.keys()) if (name.endsWith('.malachi-tmp')) left.delete(name);
          expect(left, where).toEqual(before);
        },
      });
    });

    test('whichever operation fails, every record is kept, and one more run finishes', () => {
      const recovered = prepare();
      const whole = new FaultyDisk();
      recoverCopy(whole, recovered, options);
      for (let nth = 1; nth <= whole.changes; nth++) {
        const copy = prepare();
        const disk = new FaultyDisk().injectAtChange({ kind: 'fail', code: 'EIO' }, nth);
        expect(storageCode(() => recoverCopy(disk, copy, options))).toBe('EIO');
        expect(disk.openDescriptors).toBe(0);
        expectRecords(copy, `failed change ${nth}`);
        recoverCopy(nodeDisk, copy, options);
        expect(filesOf(copy), `failed change ${nth}`).toEqual(filesOf(recovered));
      }
      expect(whole.changes).toBeGreaterThan(5);
    });

    test('a full disk while the quarantine is written leaves the copy as it was', () => {
      const untouched = prepare();
      const before = filesOf(untouched);
      const disk = new FaultyDisk().inject(
        { kind: 'fail', code: 'ENOSPC' },
        (call) => call.name === 'write' && call.path.includes('quarantine'),
      );
      expect(() => recoverCopy(disk, untouched, options)).toThrow(
        expect.objectContaining({ code: 'ENOSPC' }) as Error,
      );
      expect(filesOf(untouched)).toEqual(before);
    });
  },
);
