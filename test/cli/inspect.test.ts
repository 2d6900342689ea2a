import { mkdirSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bareEnvironment, bin, malachi } from '../helpers/cli.js';
import { fixtures, goldenCases, goldenRoot } from '../helpers/golden.js';
import { tempCopy, tempDirectory } from '../helpers/temp.js';
import { golden, inspectJson, LOG } from '../helpers/inspecting.js';

describe('the answer for a program', () => {
  test('every golden case, as the node judges it, from one root', () => {
    const { status, answer } = inspectJson(goldenRoot);
    expect(status).toBe(1);
    expect(answer.schema).toBe('malachi.inspect/1');
    expect(answer.files.map((file) => file.segment).sort()).toEqual(
      goldenCases.map(({ name }) => name).sort(),
    );
    for (const { name, expected } of goldenCases) {
      const recover = expected.recover;
      const file = answer.files.find(({ segment }) => segment === name);
      expect(file).toMatchObject({
        valid_bytes: recover.valid_bytes,
        records: recover.records,
        halt: recover.halt,
        classification: recover.classification,
        action: recover.action,
        integrity: recover.integrity,
      });
      expect(BigInt(file?.['next_offset'] as number)).toBe(recover.next_offset);
      expect(file?.['beyond'] ?? expected.beyond).toMatchObject({ frames: expected.beyond.frames });
    }
  });

  test('preallocation changes what counts as unreadable', () => {
    const { answer } = inspectJson(
      golden('rot-middle-frame-prealloc'),
      '--prealloc-bytes',
      '131072',
    );
    const expected = goldenCases.find(({ name }) => name === 'rot-middle-frame-prealloc')?.expected;
    expect(answer.files[0]?.['integrity']).toEqual(expected?.recover_preallocated.integrity);
  });

  test('offsets above 2^53 keep all their digits', () => {
    const { stdout } = malachi(['inspect', '--json', golden('base-offset-past-2-53')]);
    expect(stdout).toContain('"next_offset": 9007199254740998');
  });

  test('index states: absent, ok, bad, unchecked', () => {
    const status = (name: string) => inspectJson(golden(name)).answer.files[0]?.['index'];
    expect(status('index-absent')).toMatchObject({ status: 'absent', entries: null });
    expect(status('sealed-with-index')).toMatchObject({ status: 'ok', entries: 20 });
    expect(status('index-entry-wrong-offset')).toMatchObject({
      status: 'bad',
      detail: 'entry',
      position: 82,
    });
    expect(status('index-and-frame-damaged')).toMatchObject({ status: 'unchecked' });
    expect(status('index-large-frame')).toMatchObject({ status: 'ok' });
  });

  test('a log root with shards, a lone file and a segment directory in one run', () => {
    const root = join(fixtures, 'golden-cluster', 'n1');
    const copy = join(root, 'shard_0', 'Z-r0-s1');
    const { answer } = inspectJson(root, copy, join(golden('five-records'), LOG));
    const paths = answer.files.map(({ path }) => path);
    expect(paths).toHaveLength(new Set(paths).size);
    expect(paths).toContain(join(root, 'shard_1', 'Z-r0-s4', '00000000000000000016.log'));
    expect(paths).toContain(join(root, 'gone-r0-s0', LOG));
    expect([...paths].sort()).toEqual(paths);
  });
});

describe('exit codes', () => {
  test('0: nothing needs attention', () => {
    expect(malachi(['inspect', golden('five-records'), golden('prealloc-tail')]).status).toBe(0);
  });

  test.each(['torn-payload', 'rot-magic', 'index-cut-mid-entry', 'offsets-jump'])(
    '1: %s',
    (name) => {
      expect(malachi(['inspect', golden(name)]).status).toBe(1);
    },
  );

  test.each([
    [['inspect']],
    [['inspect', '--unknown', goldenRoot]],
    [['inspect', goldenRoot, '--prealloc-bytes', '-1']],
    [['inspect', goldenRoot, '--prealloc-bytes', '1e3']],
    [['inspect', '/no/such/path']],
    [['inspect', join(goldenRoot, 'README.md')]],
    [['unknown-command']],
  ])('2: %j', (args) => {
    const { status, stderr, stdout } = malachi(args);
    expect(status).toBe(2);
    expect(stdout.includes('    at ')).toBe(false);
    expect(stderr).not.toContain('    at ');
    expect(stderr.trim()).not.toBe('');
  });

  test('2: a directory of log roots; they are named', () => {
    const incident = join(fixtures, 'incident');
    const { status, stderr } = malachi(['inspect', incident]);
    expect(status).toBe(2);
    const roots = ['n1', 'n2', 'n3'].map((node) => join(incident, node)).join(', ');
    expect(stderr).toBe(
      `malachi: ${incident}: expected a segment directory or a log root, found neither; ` +
        `log roots below it: ${roots}\n`,
    );
    expect(malachi(['inspect', tempDirectory()]).stderr).toMatch(/found neither\n$/);
    const many = tempDirectory();
    for (let n = 1; n <= 7; n++) mkdirSync(join(many, `n${n}`, 'shard_0'), { recursive: true });
    expect(malachi(['inspect', many]).stderr).toMatch(/\/n4, \S+\/n5, …\n$/);
  });

  test('3: a file that cannot be read, beside one that can', () => {
    const root = tempDirectory();
    mkdirSync(join(root, 'a-r0-s0', LOG), { recursive: true });
    mkdirSync(join(root, 'b-r0-s0'));
    writeFileSync(join(root, 'b-r0-s0', LOG), '');
    const { status, answer } = inspectJson(root);
    expect(status).toBe(3);
    expect(answer.errors).toMatchObject([{ path: join(root, 'a-r0-s0', LOG), code: 'EISDIR' }]);
    expect(answer.files).toHaveLength(1);
  });

  test.each([
    ['format=2\nwritten_by=1.0.0\nrequires=1.0.0\n', /asks for release 1\.0\.0/],
    ['nonsense', /no format marker/],
  ])('4: a log root of an unknown format %j', (marker, message) => {
    const root = tempCopy(join(fixtures, 'golden-cluster', 'n3'));
    writeFileSync(join(root, 'malachi.format'), marker);
    const copy = join(root, 'shard_0', 'Z-r0-s3');
    for (const path of [
      root,
      copy,
      join(copy, '00000000000000000008.log'),
      join(root, 'shard_0'),
    ]) {
      const refused = malachi(['inspect', path]);
      expect(refused.status).toBe(4);
      expect(refused.stderr).toMatch(message);
    }
    expect(malachi(['inspect', copy, '--ignore-format']).status).toBe(0);
  });
});

describe('for a person', () => {
  test('says how many whole records a restart would lose', () => {
    for (const [name, lost] of [
      ['rot-length-up', '3 whole records'],
      ['window-ends-in-zero', '2 whole records'],
    ] as const) {
      const { stdout } = malachi(['inspect', golden(name)]);
      expect(stdout).toContain(`WARNING: a restart of the node would lose ${lost}`);
    }
    expect(malachi(['inspect', golden('rot-middle-frame')]).stdout).not.toContain('WARNING');
  });

  test('colour only where asked for', () => {
    const colour = (environment: Record<string, string>, ...flags: string[]): boolean =>
      malachi(['inspect', golden('rot-magic'), ...flags], { environment }).stdout.includes(
        '\u001b[',
      );
    expect(colour({})).toBe(false);
    expect(colour({ FORCE_COLOR: '1' })).toBe(true);
    expect(colour({ FORCE_COLOR: '1' }, '--no-color')).toBe(false);
    expect(colour({ FORCE_COLOR: '0' })).toBe(false);
    expect(colour({ NO_COLOR: '1' })).toBe(false);
  });

  test('the map draws every kind of byte', () => {
    const { stdout } = malachi(['inspect', '--map', golden('rot-middle-frame')]);
    // 205 bytes in 48 parts: damage from byte 82 (part 19) to 123, inside part 28.
    expect(stdout).toMatch(/\[#{19}!{9}\*\+{19}\]/);
  });

  test('a reader that leaves early is no failure', () => {
    const { status, stdout, stderr } = spawnSync(
      'bash',
      [
        '--norc',
        '-c',
        `set -o pipefail; "${process.execPath}" "${bin}" inspect "${goldenRoot}" --json | head -1`,
      ],
      { encoding: 'utf8', env: bareEnvironment },
    );
    expect(stdout).toBe('{\n');
    expect(stderr).toBe('');
    expect(status).toBe(1);
  });

  test('a full disk under stdout is a failure', () => {
    const { status, stderr } = spawnSync(
      'bash',
      [
        '--norc',
        '--norc',
        '-c',
        `"${process.execPath}" "${bin}" inspect "${golden('five-records')}" > /dev/full`,
      ],
      { encoding: 'utf8', env: bareEnvironment },
    );
    expect(status).toBe(3);
    expect(stderr).toContain('ENOSPC');
  });
});
