import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/disk/node-disk.js';
import type { MadeCopy } from '../helpers/copies.js';
import { makeCopy, quickDirectory } from '../helpers/copies.js';
import { forEachCrash } from '../helpers/crashes.js';
import { SCENARIOS, expectReadable, restoreAll, settle } from '../helpers/settling.js';
import { readTree } from '../helpers/tree.js';

describe.each(Object.entries(SCENARIOS))('%s', (_, { spec, outcome, kept }) => {
  const prepare = (): MadeCopy => makeCopy(quickDirectory(), spec);
  const untouched = (): Map<string, string> => readTree(prepare().logRoot);
  const settled = (): Map<string, string> => {
    const copy = prepare();
    expect(settle(nodeDisk, copy)).toMatchObject({ outcome, error: null });
    return readTree(copy.logRoot);
  };

  test('a crash at any step of settling leaves a log, and one more run finishes', () => {
    const [before, after] = [untouched(), settled()];
    const crashes = forEachCrash<MadeCopy>({
      prepare,
      root: ({ root }) => root,
      work: (disk, copy) => settle(disk, copy),
      check: (copy, where) => {
        expectReadable(copy, kept, where);
        expect(settle(nodeDisk, copy).error, where).toBeNull();
        expect(readTree(copy.logRoot), where).toEqual(after);
        restoreAll(nodeDisk, copy);
        expect(readTree(copy.logRoot), where).toEqual(before);
      },
    });
    expect(crashes).toBeGreaterThan(200);
  });

  test('a settling that was cut short can be undone instead', () => {
    const before = untouched();
    forEachCrash<MadeCopy>({
      prepare,
      root: ({ root }) => root,
      work: (disk, copy) => settle(disk, copy),
      check: (copy, where) => {
        restoreAll(nodeDisk, copy);
        expect(readTree(copy.logRoot), where).toEqual(before);
      },
    });
  });

  test('a crash at any step of restoring leaves a log, and one more run finishes', () => {
    const [before, after] = [untouched(), settled()];
    const crashes = forEachCrash<MadeCopy>({
      prepare: () => {
        const copy = prepare();
        settle(nodeDisk, copy);
        return copy;
      },
      root: ({ root }) => root,
      work: restoreAll,
      check: (copy, where) => {
        expectReadable(copy, kept, where);
        const isHalfway = existsSync(join(copy.directory, 'RESTORING'));
        if (isHalfway) expect(settle(nodeDisk, copy).error?.code, where).toBe('EUNFINISHED');
        restoreAll(nodeDisk, copy);
        expect(readTree(copy.logRoot), where).toEqual(before);
        settle(nodeDisk, copy);
        expect(readTree(copy.logRoot), where).toEqual(after);
      },
    });
    expect(crashes).toBeGreaterThan(20);
  });
});
