import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { malachi, parseAnswer } from '../helpers/cli.js';
import { clusterRoot, metadataPath } from '../helpers/cluster.js';
import { framesOf, snapshotTree, writeLog } from '../helpers/log-files.js';
import { tempCopy, tempDirectory } from '../helpers/temp.js';

const SEGMENT = 'events-r0-s0';
const RECORDS = framesOf(0, 3);

interface Answer {
  segments: {
    segment: string;
    verdict: string;
    nodes: string[];
    stray: string[];
    not_supplied: string[];
  }[];
  skipped: { segment: string; reason: string }[];
  errors: { path: string; code: string }[];
  summary: Record<string, unknown>;
}

/** Metadata of sealed segments: one, and one for each further change of it. */
function metadataFile(
  directory: string,
  replicas: string[],
  changes: object = {},
  ...more: object[]
): string {
  const path = join(directory, 'metadata.json');
  const segment = {
    seq: 0,
    state: 'sealed',
    start_offset: 0,
    length: 3,
    byte_size: RECORDS.length,
    sealed_at: 1,
    primary: replicas[0],
    replica_set: replicas,
    ...changes,
  };
  const segments = [segment, ...more.map((other) => ({ ...segment, ...other }))];
  const range = { seq: 0, key_start: 0, key_end: 256, state: 'active', parents: 0 };
  writeFileSync(path, JSON.stringify({ name: 'events', ranges: [{ ...range, segments }] }));
  return path;
}

/** Three nodes a, b and c, the first `holders` of which have a copy; and their command line. */
function cluster(holders: number) {
  const root = tempDirectory();
  const nodes = ['a', 'b', 'c'].map((node, n) => {
    const path = join(root, node);
    mkdirSync(path);
    if (n < holders) writeLog(join(path, SEGMENT), 0, RECORDS);
    return `${node}=${path}`;
  });
  return { root, nodes };
}

function compare(nodes: readonly string[], ...args: string[]) {
  const options = nodes.flatMap((node) => ['--node', node]);
  const { status, stdout, stderr } = malachi(['compare', '--json', ...options, ...args]);
  return { status, stderr, answer: status === 2 ? null : parseAnswer<Answer>(stdout) };
}

test('copies that hold the sealed records pass, whatever their files are', () => {
  const { root, nodes } = cluster(3);
  const metadata = metadataFile(root, ['a', 'b', 'c']);
  expect(compare(nodes, '--metadata', metadata)).toMatchObject({
    status: 0,
    answer: { summary: { whole_file: 'same', content: 'same', control: 'ok', passed: true } },
  });
  writeLog(join(root, 'b', SEGMENT), 0, framesOf(0, 1));
  writeLog(join(root, 'b', SEGMENT), 1, Buffer.concat([framesOf(1, 3), Buffer.alloc(100)]));
  expect(compare(nodes, '--metadata', metadata)).toMatchObject({
    status: 0,
    answer: {
      segments: [{ verdict: 'benign', nodes: ['b'] }],
      summary: { whole_file: 'differs', content: 'same', control: 'ok' },
    },
  });
});

test('without metadata, without copies and without a replica nothing passes', () => {
  const { root, nodes } = cluster(3);
  expect(compare(nodes)).toMatchObject({
    status: 1,
    answer: { segments: [{ verdict: 'identical' }], summary: { control: 'unavailable' } },
  });
  const metadata = metadataFile(root, ['a', 'b', 'c']);
  expect(compare(nodes.slice(0, 2), '--metadata', metadata)).toMatchObject({
    status: 1,
    answer: { segments: [{ verdict: 'identical', not_supplied: ['c'] }] },
  });
  const other = metadataFile(
    root,
    ['a', 'b', 'c'],
    {},
    { seq: 1, start_offset: 3, primary: 'd', replica_set: ['d'] },
  );
  expect(compare([`d=${tempDirectory()}`], '--metadata', other)).toMatchObject({
    status: 1,
    answer: {
      segments: [{ segment: 'events-r0-s1', verdict: 'missing' }],
      skipped: [{ segment: SEGMENT, reason: 'replica_not_supplied' }],
      summary: { segments: 1, whole_file: null, content: null },
    },
  });
});

test('a segment that no node holds is missing; with no record due it is benign', () => {
  const { root, nodes } = cluster(0);
  const sealed = metadataFile(root, ['a', 'b', 'c']);
  expect(compare(nodes, '--metadata', sealed)).toMatchObject({
    status: 1,
    answer: { segments: [{ verdict: 'missing', nodes: ['a', 'b', 'c'] }] },
  });
  const active = { state: 'active', length: null, byte_size: null, sealed_at: null };
  expect(compare(nodes, '--metadata', metadataFile(root, ['a', 'b', 'c'], active))).toMatchObject({
    status: 0,
    answer: { segments: [{ verdict: 'benign' }], summary: { content: 'same' } },
  });
});

test('a copy outside the replica set is listed as stray and not compared', () => {
  const { root, nodes } = cluster(3);
  writeLog(join(root, 'c', SEGMENT), 0, framesOf(0, 1));
  expect(compare(nodes, '--metadata', metadataFile(root, ['b', 'a']))).toMatchObject({
    status: 0,
    answer: { segments: [{ verdict: 'identical', stray: ['c'] }] },
  });
});

test('equal copies whose bytes are not those of the seal do not pass', () => {
  const { root, nodes } = cluster(3);
  const metadata = metadataFile(root, ['a', 'b', 'c'], { byte_size: RECORDS.length - 1 });
  expect(compare(nodes, '--metadata', metadata)).toMatchObject({
    status: 1,
    answer: {
      segments: [{ verdict: 'identical', off_seal: ['a', 'b', 'c'] }],
      summary: { control: 'mismatch' },
    },
  });
});

test.each([
  ['no node', [], /--node NAME=LOG_ROOT/],
  ['no pair', ['a'], /expected NAME=LOG_ROOT/],
  ['a name twice', ['a=$/a', 'a=$/b'], /each name once/],
  ['a directory twice', ['a=$/a', 'b=$/link'], /a log root of its own/],
  ['a root that is not there', ['a=$/none'], /no such file or directory/],
])('invalid input: %s', (_, nodes, message) => {
  const { root } = cluster(3);
  symlinkSync(join(root, 'a'), join(root, 'link'));
  const { status, stderr } = compare(nodes.map((node) => node.replace('$', root)));
  expect(status).toBe(2);
  expect(stderr).toMatch(message);
});

test('a copy that cannot be read is damaged, the others are answered, and the system failed', () => {
  const { root, nodes } = cluster(2);
  mkdirSync(join(root, 'c', SEGMENT, '00000000000000000000.log'), { recursive: true });
  writeLog(join(root, 'a', 'events-r0-s1'), 3, framesOf(3, 4));
  writeLog(join(root, 'b', 'events-r0-s1'), 3, framesOf(3, 5));
  writeLog(join(root, 'c', 'events-r0-s1'), 3, framesOf(3, 5));
  const { status, stderr, answer } = compare(nodes);
  expect(status).toBe(3);
  expect(stderr).toContain('is a directory');
  expect(answer).toMatchObject({
    segments: [
      { verdict: 'damaged', nodes: ['c'] },
      { verdict: 'lagging', nodes: ['a'] },
    ],
    errors: [{ code: 'EISDIR' }],
  });
});

test('two directories for one copy are an error of their own', () => {
  const { root, nodes } = cluster(3);
  writeLog(join(root, 'b', 'shard_1', SEGMENT), 0, RECORDS);
  expect(compare(nodes, '--metadata', metadataFile(root, ['a', 'b', 'c']))).toMatchObject({
    status: 3,
    answer: { segments: [{ verdict: 'damaged', nodes: ['b'] }], errors: [{ code: 'EDUPLICATE' }] },
  });
});

test('a segment whose directories cannot be named is said to be left out', () => {
  const { root, nodes } = cluster(0);
  const foreign = Buffer.from([131, 104, 2, 97, 1, 97, 2]).toString('base64url');
  for (const node of ['a', 'b']) writeLog(join(root, node, foreign), 0, RECORDS);
  const listed = metadataFile(root, ['a', 'b', 'c'], { seq: null });
  expect(compare(nodes, '--metadata', listed)).toMatchObject({
    status: 1,
    answer: {
      segments: [{ segment: foreign, verdict: 'identical', unlisted: false }],
      skipped: [{ segment: 'events-r0-s?', reason: 'foreign_id' }],
    },
  });
  // Where the metadata lists no such id, it is known not to list this one.
  const unlisted = compare(nodes, '--metadata', metadataFile(root, ['a', 'b', 'c']));
  expect(unlisted.answer?.segments).toMatchObject([
    { segment: SEGMENT, verdict: 'missing' },
    { segment: foreign, verdict: 'missing', nodes: ['c'], unlisted: true },
  ]);
  writeLog(join(root, 'c', foreign), 0, RECORDS);
  expect(
    compare(nodes, '--metadata', metadataFile(root, ['a', 'b', 'c'])).answer?.segments[1],
  ).toMatchObject({ verdict: 'extra', nodes: ['a', 'b', 'c'] });
});

test('a root in a newer format is refused, unless that is to be ignored', () => {
  const { root, nodes } = cluster(3);
  writeFileSync(join(root, 'b', 'malachi.format'), 'format=2\nrequires=0.30.0\n');
  const metadata = metadataFile(root, ['a', 'b', 'c']);
  const refused = compare(nodes, '--metadata', metadata);
  expect(refused.status).toBe(4);
  expect(refused.stderr).toContain('0.30.0');
  expect(compare(nodes, '--metadata', metadata, '--ignore-format').status).toBe(0);
});

test('a person sees who disagrees, what to do, and each copy on request', () => {
  const { root, nodes } = cluster(3);
  writeLog(join(root, 'b', SEGMENT), 0, framesOf(0, 2));
  const args = nodes.flatMap((node) => ['--node', node]);
  const metadata = metadataFile(root, ['a', 'b', 'c']);
  const { stdout } = malachi(['compare', ...args, '--metadata', metadata, '--copies']);
  expect(stdout).toMatch(/events-r0-s0 +sealed at 3 +3\/2\/3 +lagging +b\n/);
  expect(stdout).toMatch(/events-r0-s0 +b +ok +off +1 +2 /);
  expect(stdout).toMatch(/Short of it: a\s+backfill/);
  expect(stdout).toContain(
    '\n1 segment: 1 lagging.\nControl mismatch. Not passed: 1 of 1 segment neither identical nor benign.\n',
  );
});

test('where the minority is the good copy, the others are named as not at the seal', () => {
  const { root, nodes } = cluster(1);
  for (const node of ['b', 'c']) writeLog(join(root, node, SEGMENT), 0, framesOf(0, 1));
  const metadata = metadataFile(root, ['a', 'b', 'c']);
  expect(compare(nodes, '--metadata', metadata).answer?.segments).toMatchObject([
    { verdict: 'lagging', nodes: ['a'], off_seal: ['b', 'c'] },
  ]);
  const { stdout } = malachi([
    ...['compare', '--metadata', metadata],
    ...nodes.flatMap((node) => ['--node', node]),
  ]);
  expect(stdout).toMatch(
    /SEALED AT +NOT AT THE SEAL \(RECORDS\)\nevents-r0-s0 +3 +b \(1\), c \(1\)\n/,
  );
  expect(stdout.replace(/\s+/g, ' ')).toContain('the minority may be right');
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
});

test('names of nodes that no replica set has are refused; one among others is pointed out', () => {
  const { root, nodes } = cluster(3);
  const metadata = metadataFile(root, ['x@a', 'x@b', 'x@c']);
  const unknown = `node "a": expected a node of the metadata's replica sets (x@a, x@b, x@c), found it in none\n`;
  const refused = compare(nodes, '--metadata', metadata);
  expect(refused).toMatchObject({ status: 2, stderr: `malachi: ${unknown}` });
  const mixed = compare([nodes[0] ?? '', `x@b=${root}/b`, `x@c=${root}/c`], '--metadata', metadata);
  expect(mixed).toMatchObject({ status: 1, stderr: unknown });
});

test('why it does not pass is said once, with every reason', () => {
  const { root, nodes } = cluster(3);
  const shown = (given: readonly string[], ...args: string[]): string => {
    const options = given.flatMap((node) => ['--node', node]);
    return malachi(['compare', ...options, ...args]).stdout.replace(/\s+/g, ' ');
  };
  const metadata = metadataFile(root, ['a', 'b', 'c'], {}, { seq: 1, length: 0, byte_size: 0 });
  const partly = shown(nodes.slice(0, 2), '--metadata', metadata);
  expect(partly.match(/c: not given/g)).toHaveLength(1);
  expect(partly).toContain('not compared: events-r0-s0, events-r0-s1.');
  expect(partly).toContain('Control ok. Not passed: replicas not given (c).');
  expect(shown(nodes.slice(0, 1))).toContain(
    'Control unavailable. Not passed: no metadata; nothing to compare, no two copies of a segment.',
  );
  const moved = metadataFile(root, ['a', 'b', 'c'], { byte_size: RECORDS.length - 1 });
  expect(shown(nodes, '--metadata', moved)).toContain(
    'Control mismatch. Not passed: 1 of 1 segment agreeing on what is not the seal.',
  );
});

test('the tree is left as it was', () => {
  const root = tempCopy(clusterRoot);
  const before = snapshotTree(root);
  compare([`malachi@n1=${root}/n1`, `malachi@n2=${root}/n2`], '--metadata', metadataPath);
  expect(snapshotTree(root)).toEqual(before);
});
