import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { malachi, parseAnswer } from '../helpers/cli.js';
import { fixtures } from '../helpers/golden.js';
import { faultsBy, schemaFaults } from '../helpers/schema.js';
import { tempDirectory } from '../helpers/temp.js';

const five = { records: [{ count: 5, value: 'v{n}' }] };

function run(spec: unknown, ...args: string[]) {
  const directory = tempDirectory();
  const path = join(directory, 'spec.json');
  writeFileSync(path, typeof spec === 'string' ? spec : JSON.stringify(spec));
  const answer = malachi(['fixture', path, '--out', join(directory, 'out'), ...args]);
  return { ...answer, directory, names: readdirSync(directory) };
}

test('0: made, and inspect finds the damage of the spec', () => {
  const step = { step: 'flip', at: { frame: 2, part: 'payload', plus: 30 }, bit: 0 };
  const { status, stdout, directory } = run({ copies: [{ ...five, damage: [step] }] }, '--json');
  expect(status).toBe(0);
  expect(schemaFaults(stdout)).toEqual([]);
  expect(parseAnswer(stdout)).toMatchObject({
    files: [{ path: '00000000000000000000.log', bytes: 205 }],
    summary: { copies: 1, files: 1, bytes: 205 },
  });
  const inspected = malachi(['inspect', '--json', join(directory, 'out')]);
  expect(parseAnswer(inspected.stdout)).toMatchObject({
    files: [{ classification: 'rot', valid_bytes: 82, beyond: { frames: 2 } }],
  });
});

test('0: a table of the files for a person, into an empty directory too', () => {
  const out = tempDirectory();
  const spec = join(fixtures, 'specs', 'golden', 'sealed-with-index.json');
  const { status, stdout } = malachi(['fixture', spec, '--out', out]);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^00000000000000000000\.log +1,980$/m);
  expect(stdout.endsWith('3 files, 2,300 bytes.\n')).toBe(true);
});

const damage = (step: unknown, copy: object = five): unknown => ({
  copies: [{ ...copy, damage: [step] }],
});
const cluster = (over: object): unknown => ({
  cluster: { name: 'c', nodes: [{ name: 'a', path: 'a' }], segments: [], ...over },
});
const segment = (over: object): unknown =>
  cluster({
    segments: [
      {
        ...{ topic: 't', range: 0, segment: 0, state: 'active', replica_set: ['a'], records: [] },
        ...over,
      },
    ],
  });

/** Specs that are wrong by themselves: the shipped schema refuses them too. */
const invalid: [string, unknown, string][] = [
  ['no copies', {}, 'spec.json: expected "copies" or a "cluster"'],
  ['both', { copies: [], ...(cluster({}) as object) }, 'expected "copies" or a "cluster"'],
  ['an unknown key', { copies: [{ recrods: [] }] }, '/copies/0/recrods: expected one of the keys'],
  ['an offset below zero', { copies: [{ base_offset: -1 }] }, '/copies/0/base_offset: expected'],
  [
    'a fraction',
    { copies: [{ prealloc_bytes: 1.5 }] },
    '/copies/0/prealloc_bytes: expected a whole',
  ],
  [
    'odd hex',
    { copies: [{ records: [{ value: { hex: 'abc' } }] }] },
    '/records/0/value/hex: expected',
  ],
  [
    'size alone',
    { copies: [{ records: [{ value: { size: 1 } }] }] },
    '/records/0/value: expected a "f',
  ],
  ['an unknown step', damage({ step: 'burn' }), '/damage/0/step: expected one of cut, flip, zero'],
  [
    'a key of another step',
    damage({ step: 'flip', at: 1, by: 2 }),
    '/damage/0/by: expected one of',
  ],
  ['a cut both ways', damage({ step: 'cut', to: 1, by: 2 }), '/damage/0: expected "to" or "by"'],
  [
    'a ninth bit',
    damage({ step: 'flip', at: 1, bit: 8 }),
    '/damage/0/bit: expected a whole number',
  ],
  [
    'an unknown part',
    damage({ step: 'flip', at: { frame: 1, part: 'x' } }),
    '/at/part: expected one',
  ],
  ['a topic with a slash', segment({ topic: 'a/b' }), "/segments/0/topic: expected a topic's name"],
  ['no state', segment({ state: 'half' }), '/segments/0/state: expected one of active, sealed'],
];

/** Specs that nothing can meet; each part of them is as it should be. */
const impossible: [string, unknown, string][] = [
  ['a way out', { copies: [{ path: '../x' }] }, '/copies/0/path: expected a path below'],
  [
    'one directory twice',
    { copies: [{ path: 'a' }, { path: 'a/b' }] },
    '/copies/1: expected a dir',
  ],
  [
    'a roll past the end',
    { copies: [{ ...five, rolls: [6] }] },
    '/rolls/0: expected an offset above',
  ],
  [
    'offsets past 64 bits',
    `{"copies":[{"base_offset":18446744073709551615,"records":[{},{}]}]}`,
    '/copies/0: ',
  ],
  [
    'a cut behind the end',
    damage({ step: 'cut', to: 205 }),
    '/damage/0: expected a cut inside the 205',
  ],
  [
    'a flip behind the end',
    damage({ step: 'flip', at: 205 }),
    '/at: expected inside the 205 bytes',
  ],
  [
    'a hole over the end',
    damage({ step: 'zero', at: 200, size: 6 }),
    '/at: expected 6 bytes inside',
  ],
  [
    'no such frame',
    damage({ step: 'flip', at: { frame: 6 } }),
    '/at: expected a frame from 0 to 5',
  ],
  [
    'no such file',
    damage({ step: 'cut', file: 1, by: 1 }),
    '/file: expected a log file from 0 to 0',
  ],
  [
    'no index',
    damage({ step: 'remove', of: 'index' }),
    '/damage/0: expected a copy with this file',
  ],
  [
    'a whole torn frame',
    damage({ step: 'torn', record: {}, size: 39 }),
    '/size: expected fewer than',
  ],
  [
    'a payload that grows inside',
    damage({ step: 'payload', frame: 0, plus: 30, bytes: 'xy' }),
    '/damage/0: expected 31 bytes',
  ],
  [
    'a marker twice',
    damage({ step: 'mark', of: 'sealed' }, { sealed: true }),
    '/damage/0: expected a f',
  ],
  [
    'a file that is not there',
    { copies: [{ records: [{ value: { file: 'x' } }] }] },
    '/value/file: expected a file',
  ],
  [
    'an unknown replica',
    segment({ replica_set: ['b'] }),
    '/replica_set/0: expected one of the nodes a',
  ],
  ['a copy of no node', segment({ copies: { b: {} } }), '/copies/b: expected one of the nodes a'],
  [
    'more than there is',
    segment({ copies: { a: { count: 1 } } }),
    '/copies/a/count: expected a whole',
  ],
  [
    'too long',
    segment({ state: 'sealed', length: 1 }),
    '/length: expected a whole number from 0 to 0',
  ],
  [
    'nodes in one place',
    cluster({
      nodes: [
        { name: 'a', path: 'x' },
        { name: 'b', path: 'x' },
      ],
    }),
    '/nodes/1/path: expected',
  ],
];

describe.each([
  ['wrong', invalid],
  ['impossible', impossible],
])('2: %s specs', (kind, specs) => {
  test.each(specs)('%s', (_, spec, message) => {
    const { status, stdout, stderr, names } = run(spec);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^malachi: .+\n$/);
    expect({ status, stdout, names }).toEqual({ status: 2, stdout: '', names: ['spec.json'] });
    if (kind === 'wrong') expect(faultsBy('fixture-spec', spec)).not.toEqual([]);
  });
});

test('2: no such spec, no place for the fixture', () => {
  expect(malachi(['fixture', '/no/such.json', '--out', join(tempDirectory(), 'x')]).status).toBe(2);
  const spec = join(fixtures, 'specs', 'golden', 'one-record.json');
  expect(malachi(['fixture', spec]).status).toBe(2);
  expect(malachi(['fixture', spec, '--out', '/no/such/place']).status).toBe(2);
});

test('3: a place where the system makes no directory', () => {
  const spec = join(fixtures, 'specs', 'golden', 'one-record.json');
  const { status, stdout, stderr } = malachi(['fixture', spec, '--out', '/proc/malachi-fixture']);
  expect(stderr).toMatch(/^malachi: .+\n$/);
  expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
});

describe('4: refused, and nothing is changed', () => {
  const spec = join(fixtures, 'specs', 'golden', 'one-record.json');

  test('a directory that is not empty, a file', () => {
    const out = tempDirectory();
    writeFileSync(join(out, 'kept'), 'kept');
    for (const path of [out, join(out, 'kept')]) {
      const { status, stderr } = malachi(['fixture', spec, '--out', path]);
      expect(status).toBe(4);
      expect(stderr).toContain('give a new name');
    }
    expect(readdirSync(out)).toEqual(['kept']);
    expect(readFileSync(join(out, 'kept'), 'utf8')).toBe('kept');
  });

  test('inside a log root', () => {
    const root = tempDirectory();
    writeFileSync(join(root, 'malachi.format'), 'format=1\n');
    mkdirSync(join(root, 'events-r0-s0'));
    for (const path of [join(root, 'x'), join(root, 'events-r0-s0', 'x')]) {
      const { status, stderr } = malachi(['fixture', spec, '--out', path]);
      expect(status).toBe(4);
      expect(stderr).toContain('inside the log root');
    }
    expect(readdirSync(root, { recursive: true }).sort()).toEqual([
      'events-r0-s0',
      'malachi.format',
    ]);
  });
});
