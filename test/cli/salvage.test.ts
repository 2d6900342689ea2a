import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bareEnvironment, bin, malachi, parseAnswer } from '../helpers/cli.js';
import { goldenCases, goldenRoot } from '../helpers/golden.js';
import { frameAt, framesOf, logName, snapshotTree, writeLog } from '../helpers/log-files.js';
import { tempCopy, tempDirectory } from '../helpers/temp.js';

const LOG = logName(0);
const golden = (name: string): string => join(goldenRoot, name, LOG);

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

function inspectOne(path: string) {
  const { stdout } = malachi(['inspect', '--json', path]);
  const answer = parseAnswer<{
    files: { classification: string; records: number; offsets: { out_of_sequence: number } }[];
  }>(stdout);
  return answer.files[0];
}

describe('every whole record comes back, in a log that inspect calls clean', () => {
  test.each([
    'rot-length-up',
    'window-ends-in-zero',
    'rot-middle-frame',
    'rot-middle-frame-prealloc',
    'zero-hole-middle',
    'zero-hole-then-tail',
    'rot-last-frame',
    'rot-first-frame',
  ])('%s', (name) => {
    const expected = goldenCases.find((one) => one.name === name)?.expected;
    const records = (expected?.recover.records ?? 0) + (expected?.beyond.frames ?? 0);
    const output = join(tempDirectory(), LOG);
    const { status, stdout } = malachi(['salvage', golden(name), '--out', output, '--json']);
    expect(status).toBe(1);
    expect(parseAnswer(stdout)).toMatchObject({
      schema: 'malachi.salvage/1',
      records,
      out: output,
      format: 'log',
      damaged: { count: 1 },
      out_of_sequence: { count: 0, kept: false, list: [] },
    });
    expect(inspectOne(output)).toMatchObject({ classification: 'clean', records });
    // Each record, found by its own bytes, is one of the file that it came from.
    const source = readFileSync(golden(name));
    const bytes = readFileSync(output);
    for (let at = 0; at < bytes.length;) {
      const end = at + 10 + bytes.readUInt32BE(at + 2);
      expect(source.includes(bytes.subarray(at, end))).toBe(true);
      at = end;
    }
  });
});

test('a whole file is copied without its blank tail, and that is no finding', () => {
  const output = join(tempDirectory(), LOG);
  const { status, stdout, stderr } = malachi(['salvage', golden('prealloc-tail'), '--out', output]);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    `5 records (offsets 0 to 4), 205 bytes written to ${output}.`,
  );
  expect(readFileSync(output)).toEqual(readFileSync(golden('five-records')));
});

test('what is out of sequence is named, and kept when asked for', () => {
  const directory = tempDirectory();
  const output = join(directory, LOG);
  const { status, stdout } = malachi(['salvage', golden('offsets-repeat'), '--out', output]);
  expect(status).toBe(1);
  expect(stdout).toContain('offset 4 at byte 205: not above the last record kept; left out');
  const all = join(directory, 'all.log');
  const args = ['salvage', golden('offsets-repeat'), '--out', all, '--include-out-of-sequence'];
  const kept = malachi([...args, '--json']);
  expect(parseAnswer(kept.stdout)).toMatchObject({
    records: 6,
    log_name: LOG,
    out_of_sequence: { count: 1, kept: true, list: [{ position: 205, reason: 'not_above_last' }] },
  });
  expect(readFileSync(all)).toEqual(readFileSync(golden('offsets-repeat')));
  // The command is there to be pasted: it gives the file the name that inspect wants.
  expect(kept.stderr).toContain(`asks for the name ${LOG}:`);
  expect(kept.stderr).toContain(`\n  Next: mv -n ${all} ${output}\n`);
});

test('records as lines of JSON, to a file and to stdout alike', () => {
  const output = join(tempDirectory(), 'records.ndjson');
  malachi(['salvage', golden('rot-middle-frame'), '--out', output, '--format', 'ndjson']);
  const lines = readFileSync(output, 'utf8');
  const offsets = lines
    .trimEnd()
    .split('\n')
    .map((line) => parseAnswer<{ offset: number }>(line).offset);
  expect(offsets).toEqual([0, 1, 3, 4]);
  const piped = malachi([
    'salvage',
    golden('rot-middle-frame'),
    '--out',
    '-',
    '--format',
    'ndjson',
  ]);
  expect([piped.status, piped.stdout]).toEqual([1, lines]);
  expect(piped.stderr).toContain('missing  offset 2');
  expect(
    malachi(['salvage', golden('rot-middle-frame'), '--out', '-', '-q', '--format', 'ndjson'])
      .stdout,
  ).toBe(lines);
});

describe('refused', () => {
  /** A log root with a damaged copy. */
  function logRoot(): { root: string; file: string } {
    const root = join(tempDirectory(), 'data');
    const file = writeLog(join(root, 'shard_0', 'events-r0-s0'), 0, framesOf(0, 3));
    writeFileSync(join(root, 'malachi.format'), 'format=1\n');
    return { root, file };
  }

  test.each([
    ['in the root', 'rescued.log'],
    ['in the copy', 'shard_0/events-r0-s0/00000000000000000003.log'],
    ['in a shard', 'shard_0/rescued.log'],
    ['in a new directory that is named like a copy', 'shard_0/events-r0-s7/rescued.log'],
    ['in a new directory that is named like a shard', 'shard_9/rescued.log'],
    ['in a new directory in a copy', 'shard_0/events-r0-s0/new/rescued.log'],
    ['in a new directory in an empty copy', 'events-r0-s8/new/rescued.log'],
    ['in a directory that is there', 'other/rescued.log'],
    ['through a link', '../link/rescued.log'],
  ])('a place %s of a log root', (_, place) => {
    const { root, file } = logRoot();
    mkdirSync(join(root, 'other'));
    mkdirSync(join(root, 'events-r0-s8'));
    symlinkSync(root, join(root, '..', 'link'));
    const before = snapshotTree(root);
    const output = place.startsWith('..') ? join(dirname(root), place.slice(3)) : join(root, place);
    const { status, stderr } = malachi(['salvage', file, '--out', output]);
    expect([status, stderr]).toEqual([4, expect.stringContaining('refused, it lies inside')]);
    expect(snapshotTree(root)).toEqual(before);
  });

  test('a new directory outside segment directories is no log of the node', () => {
    const { root, file } = logRoot();
    const output = join(root, 'rescue', LOG);
    expect(malachi(['salvage', file, '--out', output]).status).toBe(0);
    expect(readFileSync(output)).toEqual(framesOf(0, 3));
  });

  test('a copy and its root are known by its name, too', () => {
    const copy = writeLog(join(tempDirectory(), 'events-r0-s0'), 0, framesOf(0, 3));
    expect(malachi(['salvage', copy, '--out', join(dirname(copy), 'new.log')]).status).toBe(4);
    expect(malachi(['salvage', copy, '--out', join(dirname(copy), '..', 'new.log')]).status).toBe(
      4,
    );
    // What no node would have is no log root: a file that was copied somewhere to be looked at.
    const file = writeLog(tempDirectory(), 0, framesOf(0, 3));
    expect(malachi(['salvage', file, '--out', join(dirname(file), 'new.log')]).status).toBe(0);
  });

  test('outside of log roots, a copy may be put together in a directory of its name', () => {
    const { file } = logRoot();
    const rescue = join(tempDirectory(), 'events-r0-s0');
    expect(malachi(['salvage', file, '--out', join(rescue, LOG)]).status).toBe(0);
    // Now it is a copy like any other.
    expect(malachi(['salvage', file, '--out', join(rescue, logName(3))]).status).toBe(4);
  });

  test('a file that is there is not overwritten', () => {
    const output = join(tempDirectory(), LOG);
    writeFileSync(output, 'precious');
    const { status, stderr } = malachi(['salvage', golden('rot-middle-frame'), '--out', output]);
    expect([status, stderr]).toEqual([4, expect.stringContaining('nothing is overwritten')]);
    expect(readFileSync(output, 'utf8')).toBe('precious');
    expect(readdirSync(dirname(output))).toEqual([LOG]);
  });

  test('a log root in a newer format, unless that is to be ignored', () => {
    const { root, file } = logRoot();
    writeFileSync(join(root, 'malachi.format'), 'format=2\n');
    const args = ['salvage', file, '--out', join(tempDirectory(), LOG)];
    expect(malachi(args).status).toBe(4);
    expect(malachi([...args, '--ignore-format']).status).toBe(0);
  });
});

test.each([
  ['no output', [golden('five-records')], /--out/],
  ['no file', ['/none', '--out', '$/new.log'], /no such file/],
  ['a directory', [goldenRoot, '--out', '$/new.log'], /expected a segment file/],
  ['no place', [golden('five-records'), '--out', '$/a/b/new.log'], /no directory/],
  ['two documents on stdout', [golden('five-records'), '--out', '-', '--json'], /--json/],
  [
    'a format that is none',
    [golden('five-records'), '--out', '$/new', '--format', 'csv'],
    /ndjson/,
  ],
])('invalid input: %s', (_, args, message) => {
  const directory = tempDirectory();
  const { status, stderr } = malachi([
    'salvage',
    ...args.map((arg) => arg.replace('$', directory)),
  ]);
  expect(status).toBe(2);
  expect(stderr).toMatch(message);
  expect(readdirSync(directory)).toEqual([]);
});

describe('into a pipe', () => {
  const RECORDS = 30_000;
  const large = (): string => {
    const bytes = framesOf(0, RECORDS, 'v'.repeat(100));
    bytes.writeUInt8(
      bytes.readUInt8(1000 * frameAt(0, 'v'.repeat(100)).length + 20) ^ 1,
      1000 * frameAt(0, 'v'.repeat(100)).length + 20,
    );
    return writeLog(tempDirectory(), 0, bytes);
  };

  test('a slow reader gets everything', () => {
    const file = large();
    const { status, stdout } = shell(
      '"$0" "$1" salvage "$2" --out - | (sleep 0.3; cat) | wc -c',
      file,
    );
    expect(status).toBe(1);
    expect(Number(stdout)).toBe((RECORDS - 1) * frameAt(0, 'v'.repeat(100)).length);
  });

  test('head ends it quietly', () => {
    const script =
      '"$0" "$1" salvage "$2" --out - --format ndjson | head -n 1; echo "${PIPESTATUS[0]}"';
    const { stdout, stderr } = shell(script, large());
    expect(stdout).toMatch(/^\{"offset":0,.*\}\n0\n$/);
    expect(stderr).toBe('');
  });

  test('a full disk is a failure of the system', () => {
    const { status, stderr } = shell('"$0" "$1" salvage "$2" --out - > /dev/full', large());
    expect(status).toBe(3);
    expect(stderr).toContain('ENOSPC');
  });
});

test('the file and what is beside it are left as they were', () => {
  const root = tempCopy(goldenRoot);
  const before = snapshotTree(root);
  const output = join(tempDirectory(), 'out.log');
  malachi(['salvage', join(root, 'rot-sealed', LOG), '--out', output]);
  expect(existsSync(output)).toBe(true);
  expect(snapshotTree(root)).toEqual(before);
});
