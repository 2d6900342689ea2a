import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bareEnvironment, bin, malachi, parseAnswer } from '../helpers/cli.js';
import { goldenRoot } from '../helpers/golden.js';
import { frameAt, framesOf, recordAt, snapshotTree, writeLog } from '../helpers/log-files.js';
import { tempCopy, tempDirectory } from '../helpers/temp.js';
import { encodeFrame } from '../../src/format/frame.js';

const golden = (name: string): string => join(goldenRoot, name);

function shell(script: string, ...args: string[]) {
  return spawnSync(
    'bash',
    ['--norc', '-o', 'pipefail', '-c', script, process.execPath, bin, ...args],
    {
      encoding: 'utf8',
      env: bareEnvironment,
      maxBuffer: 1 << 28,
    },
  );
}

/** A copy of one file with these bytes. */
function copyOf(bytes: Uint8Array): string {
  const directory = join(tempDirectory(), 'events-r0-s0');
  writeLog(directory, 0, bytes);
  return directory;
}

const offsetsOf = (ndjson: string): number[] =>
  ndjson
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseAnswer<{ offset: number }>(line).offset);

test('a table for people', () => {
  const { status, stdout } = malachi(['dump', golden('keys-and-headers')]);
  expect(status).toBe(0);
  expect(stdout.split('\n')).toEqual([
    '    OFFSET  TIMESTAMP                 KEY               VALUE',
    '         0  2023-11-14T22:13:20.000Z  -                 a',
    '         1  2023-11-14T22:13:20.000Z  ""                b',
    '         2  2023-11-14T22:13:20.000Z  0x00ff0a          c',
    '         3  2023-11-14T22:13:20.000Z  -                 d  [h=1 ""=""]',
    '         4  2023-11-14T22:13:20.000Z  -                 ""',
    '',
  ]);
});

test('lines for programs, from an offset, with a limit, and in reverse', () => {
  const dump = (...args: string[]) =>
    offsetsOf(malachi(['dump', golden('five-records'), '--format', 'ndjson', ...args]).stdout);
  expect(dump()).toEqual([0, 1, 2, 3, 4]);
  expect(dump('--from-offset', '3')).toEqual([3, 4]);
  expect(dump('--limit', '2')).toEqual([0, 1]);
  expect(dump('--reverse', '--limit', '2')).toEqual([4, 3]);
  expect(dump('--reverse', '--from-offset', '3')).toEqual([4, 3]);
  expect(dump('--from-offset', '18446744073709551615')).toEqual([]);
});

test('one document with --json, also of nothing', () => {
  const { status, stdout } = malachi(['dump', golden('five-records'), '--json']);
  expect(status).toBe(0);
  expect(parseAnswer(stdout)).toMatchObject({
    schema: 'malachi.dump/1',
    records: [{ offset: 0 }, { offset: 1 }, { offset: 2 }, { offset: 3 }, { offset: 4 }],
    damages: [],
    errors: [],
    summary: { records: 5, damages: 0 },
  });
  const nothing = malachi(['dump', golden('empty-file'), '--json']);
  expect(parseAnswer(nothing.stdout)).toMatchObject({ records: [], summary: { records: 0 } });
  const large = malachi(['dump', golden('base-offset-past-2-53'), '--json']);
  expect(large.stdout).toContain('"offset":9007199254740993,');
});

describe('values in a table', () => {
  const line = (value: string | Uint8Array, ...args: string[]): string => {
    const { stdout } = malachi(['dump', copyOf(frameAt(0, value)), ...args]);
    return (stdout.split('\n')[1] ?? '').slice(56);
  };

  test('as text, JSON on one line, or hex', () => {
    expect(line('plain')).toBe('plain');
    expect(line('{\n  "id": 12345678901234567890,\n  "a": [1.50]\n}')).toBe(
      '{"id":12345678901234567890,"a":[1.50]}',
    );
    expect(line('{\n not JSON')).toBe('{\\n not JSON');
    expect(line(Buffer.from([0x61, 0x00, 0xff]))).toBe('0x6100ff');
    expect(line('a', '--value', 'hex')).toBe('61');
    expect(line('a', '--value', 'base64')).toBe('YQ==');
    expect(line('abc', '--value', 'none')).toBe('3 bytes');
    expect(line(Buffer.from([0x61, 0xff]), '--value', 'utf8')).toBe('a\ufffd');
  });

  test('a large one is cut, never in a character, with its length told', () => {
    expect(line('é'.repeat(10_000))).toBe(`${'é'.repeat(2048)}… (20,000 bytes)`);
    expect(line(`a${'é'.repeat(10_000)}`)).toBe(`a${'é'.repeat(2047)}… (20,001 bytes)`);
  });

  test('a time that RFC 3339 has no year for is its number', () => {
    const late = encodeFrame({ ...recordAt(0), timestamp: 0xffff_ffff_ffff_ffffn });
    const { stdout } = malachi(['dump', copyOf(late)]);
    expect(stdout).toMatch(/ 0 {2}18446744073709551615 {6}-/);
  });

  test('bytes of records never reach a terminal raw', () => {
    const evil = '\u001b[2J\u001b]0;pwned\u0007\r\u009b31m\u202e';
    const headers = [{ key: Buffer.from(evil), value: Buffer.from(evil) }];
    const record = { ...recordAt(0, evil), key: Buffer.from(evil), headers };
    const directory = copyOf(encodeFrame(record));
    for (const args of [[], ['--value', 'utf8'], ['--format', 'ndjson'], ['--json']]) {
      const { stdout } = malachi(['dump', directory, ...args], {
        environment: { FORCE_COLOR: '0' },
      });
      expect(stdout).toMatch(/pwned|70776e6564/);
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    }
  });
});

describe('exit codes', () => {
  test('1: what is readable is shown, and on stderr what is not', () => {
    const { status, stdout, stderr } = malachi(['dump', golden('rot-middle-frame')]);
    expect(status).toBe(1);
    expect(stdout.split('\n')).toHaveLength(4);
    expect(stderr).toContain(
      'bad_crc at byte 82: 123 bytes not shown, with 2 whole records behind',
    );
    const path = join(golden('rot-middle-frame'), '00000000000000000000.log');
    expect(stderr).toContain(
      ` behind the damage.\n  Next: malachi salvage ${path} --out rescued/00000000000000000000.log\n`,
    );
    const torn = malachi(['dump', golden('torn-payload')]).stderr;
    expect(torn).toMatch(/ not shown\.\n {2}Next: malachi inspect \S+\.log\n$/);
  });

  test.each([
    ['a path that is not there', ['/none'], /no such file/],
    ['a log root', [goldenRoot], /name one of its copies/],
    ['a limit that is no number', [golden('five-records'), '--limit', '1e3'], /whole number/],
    [
      'an offset past 64 bits',
      [golden('five-records'), '--from-offset', '18446744073709551616'],
      /2\^64-1/,
    ],
    ['a form that is none', [golden('five-records'), '--value', 'raw'], /base64/],
  ])('2: %s', (_, args, message) => {
    const { status, stdout, stderr } = malachi(['dump', ...args]);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });

  test('3: a file that cannot be read; the others are shown', () => {
    const directory = copyOf(framesOf(0, 2));
    mkdirSync(join(directory, '00000000000000000002.log'));
    const { status, stdout, stderr } = malachi(['dump', directory, '--format', 'ndjson']);
    expect(status).toBe(3);
    expect(offsetsOf(stdout)).toEqual([0, 1]);
    expect(stderr).toContain('is a directory');
  });

  test('3: a full disk', () => {
    const { status, stderr } = shell('"$0" "$1" dump "$2" > /dev/full', golden('five-records'));
    expect(status).toBe(3);
    expect(stderr).toContain('ENOSPC');
  });

  test('4: a log root in a newer format, unless that is to be ignored', () => {
    const directory = copyOf(framesOf(0, 2));
    writeFileSync(join(directory, '..', 'malachi.format'), 'format=2\n');
    expect(malachi(['dump', directory]).status).toBe(4);
    expect(malachi(['dump', directory, '--ignore-format']).status).toBe(0);
  });
});

describe('into a pipe', () => {
  const RECORDS = 30_000;
  const directoryOfMany = (): string => copyOf(framesOf(0, RECORDS, 'v'.repeat(100)));

  test('a slow reader gets everything', () => {
    const directory = directoryOfMany();
    const { status, stdout } = shell(
      '"$0" "$1" dump "$2" --format ndjson | (sleep 0.3; cat)',
      directory,
    );
    expect(status).toBe(0);
    expect(offsetsOf(stdout)).toEqual(Array.from({ length: RECORDS }, (_, n) => n));
  });

  test('head ends it quietly', () => {
    const script = '"$0" "$1" dump "$2" --format ndjson | head -n 2; echo "${PIPESTATUS[0]}"';
    const { stdout, stderr } = shell(script, directoryOfMany());
    const [first = '', second = '', status] = stdout.split('\n');
    expect(offsetsOf(`${first}\n${second}`)).toEqual([0, 1]);
    expect([status, stderr]).toEqual(['0', '']);
  });
});

test('the tree is left as it was', () => {
  const root = tempCopy(goldenRoot);
  const before = snapshotTree(root);
  for (const name of ['rot-middle-frame', 'sealed-default-interval', 'index-entry-inside-frame']) {
    malachi(['dump', join(root, name), '--from-offset', '2']);
    malachi(['dump', join(root, name), '--reverse']);
  }
  expect(snapshotTree(root)).toEqual(before);
  expect(readFileSync(join(root, 'README.md')).length).toBeGreaterThan(0);
});
