import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/disk/disk.js';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { StorageError } from '../../src/errors.js';
import { runToEnd } from '../../src/format/walk.js';
import type { CopyReading } from '../../src/operations/compare-copy.js';
import { readCopySteps } from '../../src/operations/compare-copy.js';
import type { CopyFacts } from '../../src/policy/compare-verdict.js';
import { damagedFile } from '../helpers/arbitraries.js';
import { goldenCases } from '../helpers/golden.js';
import { md5, readPlainCopy, recordDigest } from '../helpers/independent.js';
import { frameAt, framesOf, logName, writeLog } from '../helpers/log-files.js';
import { tempDirectory } from '../helpers/temp.js';

const read = (directory: string, disk: Disk = nodeDisk): CopyReading =>
  runToEnd(readCopySteps(disk, directory));

const facts = (directory: string): CopyFacts => read(directory).facts;

/** What a copy's files say without the code under test. */
function expectPlain(directory: string): void {
  const files = readPlainCopy(directory) ?? [];
  expect(facts(directory)).toMatchObject({
    records: files.reduce((sum, { records }) => sum + records, 0),
    bytes: files.reduce((sum, { valid }) => sum + valid, 0),
    digest: recordDigest(files),
    files: files.map(({ base, bytes, records, valid }) => {
      return { baseOffset: BigInt(base), size: bytes.length, md5: md5(bytes), records, valid };
    }),
  });
}

describe.each(goldenCases)('$name', ({ directory, expected: { recover, verify } }) => {
  test('as verification has it', () => {
    const isDamaged = recover.classification === 'torn' || recover.classification === 'rot';
    const { status } = facts(directory);
    if (verify.ok) {
      // Also where recovery finds a payload that does not parse: verification does not look.
      expect(status).toBe('ok');
    } else if (verify.reason === 'bad_index') {
      // The node does not read all of a large frame that an index points at; here it is read.
      expect(status).toBe(directory.endsWith('index-large-frame') ? 'ok' : 'bad_index');
    } else {
      expect(isDamaged).toBe(true);
      expect(status).toBe(recover.classification);
    }
    expectPlain(directory);
  });
});

test('the digest is of the records, wherever the files are cut', () => {
  const directory = tempDirectory();
  const records = [...framesOf(0, 5), ...frameAt(5, 'v'.repeat(6 << 20)), ...framesOf(6, 8)];
  const whole = join(directory, 'whole');
  writeLog(whole, 0, Buffer.concat([Buffer.from(records), Buffer.alloc(300_000)]));
  const cut = join(directory, 'cut');
  writeLog(cut, 0, framesOf(0, 3));
  writeLog(cut, 3, Buffer.concat([framesOf(3, 5), Buffer.alloc(40)]));
  writeLog(cut, 5, Buffer.from(records).subarray(framesOf(0, 5).length));
  expect(facts(cut).digest).toBe(md5(Buffer.from(records)));
  expect(facts(whole).digest).toBe(facts(cut).digest);
  expect(facts(whole)).toMatchObject({ status: 'ok', records: 8, trailing: 0 });
  expectPlain(cut);
});

test('damage in any file is the copy’s, and its bytes are counted', () => {
  const directory = tempDirectory();
  writeLog(directory, 0, Buffer.concat([framesOf(0, 2), Buffer.from([0, 7, 0, 8])]));
  writeLog(directory, 2, framesOf(2, 4));
  expect(facts(directory)).toMatchObject({ status: 'torn', records: 4, trailing: 2 });
});

test('any files', () => {
  const root = tempDirectory();
  let copies = 0;
  fc.assert(
    fc.property(fc.array(damagedFile, { maxLength: 3 }), (files) => {
      const directory = join(root, String(copies++));
      files.forEach((bytes, n) => writeLog(directory, n, bytes));
      if (files.length > 0) expectPlain(directory);
    }),
    { numRuns: 60 },
  );
});

describe('a copy that cannot be read as a whole is unreadable, and why is told', () => {
  const copy = (): string => {
    const directory = tempDirectory();
    writeLog(directory, 0, framesOf(0, 2));
    return directory;
  };
  const unreadable = (code: string) => ({
    facts: { status: 'unreadable', records: null, digest: null, files: [] },
    problems: [{ code, exitCode: 3 }],
  });

  test('a read that fails', () => {
    const disk: Disk = {
      ...nodeDisk,
      read: () => {
        throw new StorageError('EIO', 'a.log', 'EIO: i/o error');
      },
    };
    expect(read(copy(), disk)).toMatchObject(unreadable('EIO'));
  });

  test('a file that is written to meanwhile', () => {
    const directory = copy();
    const disk: Disk = {
      ...nodeDisk,
      read: (fd, target, position) => {
        appendFileSync(join(directory, logName(0)), 'more');
        return nodeDisk.read(fd, target, position);
      },
    };
    expect(read(directory, disk)).toMatchObject(unreadable('ECHANGED'));
  });

  test('a log file of no known name', () => {
    const directory = copy();
    writeFileSync(join(directory, 'events.log'), framesOf(2, 3));
    expect(read(directory)).toMatchObject(unreadable('EBADNAME'));
  });
});
