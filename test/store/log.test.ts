import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RefusedError } from '../../src/errors.js';
import { Log } from '../../src/store/log.js';
import type { LogOptions } from '../../src/store/log-options.js';
import { SegmentStore } from '../../src/store/segment-store.js';
import { storageCode } from '../helpers/crashes.js';
import { FaultyDisk } from '../helpers/faulty-disk.js';
import { fixtures } from '../helpers/golden.js';
import { newRecord, smallKernel, values } from '../helpers/store.js';
import { tempCopy, tempDirectory } from '../helpers/temp.js';

/** Records of 40 bytes each: a value of one byte behind 39 bytes of frame. Three fill a file. */
const options: LogOptions = { segmentBytes: 120, kernel: smallKernel };

function open(directory: string, more: LogOptions = {}): Log {
  return Log.open(directory, { ...options, ...more }).log;
}

/** A log of the values `0` to `9`, synced: files at 0, 3, 6 and 9, the last one open. */
function tenRecords(more: LogOptions = {}): Log {
  const log = open(tempDirectory(), more);
  for (let n = 0; n < 10; n++) log.append(newRecord(String(n)));
  log.sync();
  return log;
}

const read = (log: Log) => values(log.read(0n).records).join('');
const bases = (log: Log) => log.files.map(({ baseOffset }) => baseOffset);
const names = (directory: string) =>
  readdirSync(directory).map((name) => name.replace(/^0+(\d)/, '$1'));

describe('roll', () => {
  test('by size: the full file is sealed and the next one starts where it ends', () => {
    const log = tenRecords();
    expect(names(log.directory)).toEqual([
      '0.idx',
      '0.log',
      '0.sealed',
      '3.idx',
      '3.log',
      '3.sealed',
      '6.idx',
      '6.log',
      '6.sealed',
      '9.log',
    ]);
    expect(log).toMatchObject({ startOffset: 0n, nextOffset: 10n, safeEndOffset: 10n });
    for (const files of log.files) {
      expect(SegmentStore.verify(files, options).kind).toBe('ok');
    }
    log.close();
  });

  test('by age: an old file that holds a record is followed by another', () => {
    let now = 0;
    const log = open(tempDirectory(), { segmentAgeMs: 1000, clock: () => now });
    now = 1000;
    log.append(newRecord('a'));
    expect(bases(log)).toEqual([0n]);
    log.append(newRecord('b'));
    expect(bases(log)).toEqual([0n, 1n]);
    now = 1999;
    log.append(newRecord('c'));
    expect(bases(log)).toEqual([0n, 1n]);
    now = 2000;
    log.append(newRecord('d'));
    expect(bases(log)).toEqual([0n, 1n, 3n]);
    log.close();
  });

  test('of a file that was found sealed', () => {
    const log = tenRecords();
    const files = log.files.at(-1);
    log.close();
    if (files) writeFileSync(files.sealedPath, '');
    const again = open(log.directory);
    expect(again.append(newRecord('x'))).toEqual({ kind: 'appended', offset: 10n });
    expect(bases(again)).toEqual([0n, 3n, 6n, 9n, 10n]);
    again.close();
  });

  test('never goes past damage, though the damaged file is sealed', () => {
    const log = tenRecords();
    log.close();
    const last = log.files.at(-1);
    writeFileSync(last?.logPath ?? '', Buffer.alloc(20, 1), { flag: 'a' });
    writeFileSync(last?.sealedPath ?? '', '');
    const again = open(log.directory);
    expect(again.append(newRecord('x'))).toEqual({ kind: 'refused', reason: 'damaged_tail' });
    again.close();
  });
});

describe('open', () => {
  test('creates the directory and starts at the offset asked for', () => {
    const log = open(join(tempDirectory(), 'new'), { startOffset: 7n });
    expect(log.append(newRecord('a'))).toEqual({ kind: 'appended', offset: 7n });
    expect(log.startOffset).toBe(7n);
    log.close();
  });

  test('recovers the last file alone', () => {
    const log = tenRecords();
    log.close();
    const [first] = log.files;
    const last = log.files.at(-1);
    writeFileSync(last?.logPath ?? '', Buffer.from('4d51', 'hex'), { flag: 'a' });
    writeFileSync(first?.logPath ?? '', Buffer.from('4d51', 'hex'), { flag: 'a' });
    const { log: again, report } = Log.open(log.directory, options);
    expect(report).toMatchObject({ classification: 'torn', action: 'discard_tail' });
    expect(statSync(last?.logPath ?? '').size).toBe(40);
    expect(statSync(first?.logPath ?? '').size).toBe(122);
    expect(read(again)).toBe('0123456789');
    again.close();
  });

  test('refuses a fenced directory without a file, and leaves it alone', () => {
    const directory = tempDirectory();
    writeFileSync(join(directory, 'SEALED'), '');
    expect(() => Log.open(directory)).toThrow(RefusedError);
    expect(readdirSync(directory)).toEqual(['SEALED']);
  });

  test('reads the copies of a node', () => {
    const root = tempCopy(join(fixtures, 'golden-cluster', 'n1'));
    const copies = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.log'))
      .map((path) => join(root, path, '..'));
    expect(copies.length).toBeGreaterThan(0);
    for (const copy of new Set(copies)) {
      const { log, report } = Log.open(copy, options);
      const page = log.read(0n, { maxBytes: 1e9 });
      expect(log.fenced).toBe(existsSync(join(copy, 'SEALED')));
      if (log.files.length === 1) expect(page.records).toHaveLength(report?.state.records ?? -1);
      log.close();
    }
  });
});

describe('read', () => {
  test('goes across files, and keeps to its limits', () => {
    const log = tenRecords();
    const page = (from: bigint, limits = {}) => {
      const { records, end, bytes } = log.read(from, limits);
      return [values(records).join(''), end, bytes];
    };
    expect(page(0n)).toEqual(['0123456789', 'end', 400]);
    expect(page(5n)).toEqual(['56789', 'end', 200]);
    expect(page(2n, { maxRecords: 3 })).toEqual(['234', 'limit', 120]);
    expect(page(2n, { maxRecords: 4 })).toEqual(['2345', 'limit', 160]);
    expect(page(2n, { maxBytes: 79 })).toEqual(['2', 'limit', 40]);
    expect(page(2n, { maxBytes: 80 })).toEqual(['23', 'limit', 80]);
    expect(page(2n, { maxBytes: 1 })).toEqual(['2', 'limit', 40]);
    expect(page(10n)).toEqual(['', 'end', 0]);
    log.close();
  });

  test('stops where records are missing before the next file', () => {
    const log = tenRecords();
    truncateSync(log.files[1]?.logPath ?? '', 60);
    expect(log.read(1n)).toMatchObject({ end: 'gap', bytes: 120 });
    expect(log.read(4n)).toMatchObject({ end: 'gap', bytes: 0 });
    expect(values(log.read(6n).records).join('')).toBe('6789');
    rmSync(log.files[1]?.logPath ?? '');
    log.close();
    const again = open(log.directory);
    expect(again.read(0n)).toMatchObject({ end: 'gap', bytes: 120 });
    again.close();
  });
});

describe('seal', () => {
  test('seals every file, then fences the log; appends are refused, also later', () => {
    const log = tenRecords();
    rmSync(log.files[1]?.sealedPath ?? '');
    rmSync(log.files[1]?.sidecarPath ?? '');
    log.seal();
    for (const files of log.files) {
      expect(SegmentStore.verify(files, options)).toMatchObject({ kind: 'ok', indexEntries: 1 });
      expect(existsSync(files.sealedPath)).toBe(true);
    }
    expect(readFileSync(join(log.directory, 'SEALED'))).toHaveLength(0);
    const refused = { kind: 'refused', reason: 'fenced' };
    expect(log.append(newRecord('x'))).toEqual(refused);
    expect(read(log)).toBe('0123456789');
    log.seal();
    log.close();
    const again = open(log.directory);
    expect(again.append(newRecord('x'))).toEqual(refused);
    again.close();
  });
});

describe('truncate', () => {
  test.each([
    { end: 10n, left: [0n, 3n, 6n, 9n], dropped: 0n },
    { end: 8n, left: [0n, 3n, 6n], dropped: 2n },
    { end: 6n, left: [0n, 3n], dropped: 4n },
    { end: 1n, left: [0n], dropped: 9n },
    { end: 0n, left: [0n], dropped: 10n },
  ])('to $end', ({ end, left, dropped }) => {
    const log = tenRecords({ preallocBytes: 100 });
    expect(log.truncate(end)).toEqual({ kind: 'truncated', droppedRecords: dropped });
    expect(bases(log)).toEqual(left);
    expect(read(log)).toBe('0123456789'.slice(0, Number(end)));
    expect(log.nextOffset).toBe(end);
    const stems = new Set(names(log.directory).map((name) => BigInt(name.split('.')[0] ?? '')));
    expect([...stems]).toEqual(left);
    for (const files of log.files) expect(SegmentStore.verify(files, options).kind).toBe('ok');
    const isStuck = end === 0n;
    expect(log.append(newRecord('x'))).toEqual(
      isStuck ? { kind: 'refused', reason: 'sealed' } : { kind: 'appended', offset: end },
    );
    log.close();
  });

  test('a fenced log stays fenced', () => {
    const log = tenRecords();
    log.seal();
    expect(log.truncate(4n).kind).toBe('truncated');
    expect(log.fenced).toBe(true);
    expect(log.append(newRecord('x'))).toEqual({ kind: 'refused', reason: 'fenced' });
    log.close();
  });

  test('to an offset that the records do not reach changes nothing', () => {
    const log = tenRecords();
    const before = names(log.directory);
    expect(log.truncate(12n)).toEqual({ kind: 'short', endOffset: 10n });
    expect(names(log.directory)).toEqual(before);
    expect(log.append(newRecord('x'))).toEqual({ kind: 'appended', offset: 10n });
    log.close();
  });

  test('below the start is a wrong argument', () => {
    const log = open(tempDirectory(), { startOffset: 5n });
    expect(() => log.truncate(4n)).toThrow(RangeError);
    log.close();
  });
});

test('a failure comes back with its code, and the log is refused from then on', () => {
  const disk = new FaultyDisk();
  const log = tenRecords({ disk });
  disk.inject({ kind: 'fail', code: 'EIO' }, ({ name }) => name === 'rename');
  expect(storageCode(() => log.seal())).toBe('EIO');
  expect(storageCode(() => log.append(newRecord('x')))).toBe('EHANDLE');
  expect(storageCode(() => log.read(0n))).toBe('EHANDLE');
  log.close();
  expect(disk.openDescriptors).toBe(0);
});
