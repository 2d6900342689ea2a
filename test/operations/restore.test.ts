import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lockLogRoot } from '../../src/disk/lock.js';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { runToEnd } from '../../src/format/walk.js';
import { restoreEntries } from '../../src/operations/restore-entries.js';
import { sealAtSteps } from '../../src/operations/seal-at.js';
import type { MadeCopy } from '../helpers/copies.js';
import { frames, makeCopy, quickDirectory, rotAt, tornAt } from '../helpers/copies.js';
import { settle } from '../helpers/settling.js';
import { readTree } from '../helpers/tree.js';

const cutFile = '00000000000000000003.log';

function settledCopy(): MadeCopy & { entry: string; before: Map<string, string> } {
  const copy = makeCopy(quickDirectory(), {
    end: 4,
    files: [
      { base: 0, records: 3, sealed: true },
      { base: 3, records: 2, tail: tornAt(5) },
    ],
  });
  const before = readTree(copy.logRoot);
  const { quarantine } = settle(nodeDisk, copy);
  return { ...copy, entry: quarantine ?? '', before };
}

const applied = { apply: true, assumeUnused: false };

describe('restore', () => {
  test('an entry that a run was killed in front of is named, and stops nothing', async () => {
    const { root, entry, logRoot, before } = settledCopy();
    const half = join(root, 'quarantine', 'malachi@n1.events-r0-s1.1-2.20261130T010203.004Z');
    mkdirSync(half);
    const { unfinished, errors } = await restoreEntries(nodeDisk, [half, entry], applied);
    expect({ unfinished, errors }).toEqual({ unfinished: [half], errors: [] });
    expect(readTree(logRoot)).toEqual(before);
    const alone = await restoreEntries(nodeDisk, [half], applied);
    expect(alone).toMatchObject({ unfinished: [], errors: [{ code: 'EUNKEPT', exitCode: 2 }] });
  });

  test('tells what would come back, and changes nothing before it is applied', async () => {
    const { root, entry, logRoot, before } = settledCopy();
    const settled = readTree(root);
    const dry = await restoreEntries(nodeDisk, [entry], { ...applied, apply: false });
    expect(readTree(root)).toEqual(settled);
    expect(dry.results[0]).toMatchObject({
      node: 'malachi@n1',
      segment: 'events-r0-s1',
      restoredBytes: frames(4, 5).length + tornAt(5).length,
    });
    expect(dry.results[0]?.files.map(({ name, change }) => [name, change])).toEqual([
      ['SEALED', 'removed'],
      ['00000000000000000000.idx', 'removed'],
      ['00000000000000000003.idx', 'removed'],
      ['00000000000000000003.sealed', 'removed'],
      [cutFile, 'extended'],
    ]);
    const { results } = await restoreEntries(nodeDisk, [entry], applied);
    expect(results).toEqual(dry.results);
    expect(readTree(logRoot)).toEqual(before);
    const again = await restoreEntries(nodeDisk, [entry], applied);
    expect(again.results[0]?.files).toEqual([]);
    expect(readTree(logRoot)).toEqual(before);
  });

  test('undoes two cuts of one copy, whatever the order they are given in', async () => {
    const copy = makeCopy(quickDirectory(), {
      end: 2,
      files: [{ base: 0, records: 2, tail: rotAt(2) }],
    });
    const before = readTree(copy.logRoot);
    const first = settle(nodeDisk, copy).quarantine ?? '';
    const dropRot = { ...applied, dropRot: true, quarantine: join(copy.root, 'quarantine') };
    const second = runToEnd(sealAtSteps(nodeDisk, copy, dropRot)).quarantine ?? '';
    expect(second).not.toBe(first);
    const dry = await restoreEntries(nodeDisk, [first, second], { ...applied, apply: false });
    const { errors, results } = await restoreEntries(nodeDisk, [first, second], applied);
    expect({ ...dry, applied: true }).toEqual({ applied: true, unfinished: [], errors, results });
    expect(results.map(({ entry }) => entry)).toEqual([second, first]);
    expect(errors).toEqual([]);
    expect(readTree(copy.logRoot)).toEqual(before);
  });

  test('undoes three cuts of one copy over several files, and a dry run reads what is not back yet', async () => {
    const blank = Buffer.alloc(5000);
    const files = [
      { base: 0, records: 3, tail: blank },
      { base: 3, records: 4, tail: Buffer.concat([tornAt(7), blank]) },
    ];
    const copy = makeCopy(quickDirectory(), { end: 7, files });
    const before = readTree(copy.logRoot);
    const entries = [7, 4, 2].map((end) => {
      const byteSize = BigInt(frames(0, end).length);
      const seal = { ...copy.seal, endOffset: BigInt(end), byteSize };
      return settle(nodeDisk, { ...copy, seal, plannedBytes: null }).quarantine ?? '';
    });
    expect(new Set(entries).size).toBe(3);
    const settled = readTree(copy.logRoot);
    const dry = await restoreEntries(nodeDisk, entries, { ...applied, apply: false });
    expect(readTree(copy.logRoot)).toEqual(settled);
    const done = await restoreEntries(nodeDisk, entries, applied);
    expect(done.errors).toEqual([]);
    expect(dry).toEqual({ ...done, applied: false });
    expect(readTree(copy.logRoot)).toEqual(before);
  });

  test('of two entries of the same cut, a dry run counts one as coming back', async () => {
    const { entry, logRoot, ...copy } = settledCopy();
    await restoreEntries(nodeDisk, [entry], applied);
    const second = settle(nodeDisk, { ...copy, logRoot }).quarantine ?? '';
    const settled = readTree(logRoot);
    const dry = await restoreEntries(nodeDisk, [entry, second], { ...applied, apply: false });
    expect(dry.results.map(({ files }) => files.length > 0)).toEqual([true, false]);
    expect(readTree(logRoot)).toEqual(settled);
    const done = await restoreEntries(nodeDisk, [entry, second], applied);
    expect(dry).toEqual({ ...done, applied: false });
  });

  test.each<[string, (copy: MadeCopy) => void, string]>([
    [
      'has grown',
      ({ directory }) => appendFileSync(join(directory, cutFile), frames(4, 5)),
      'EOUTDATED',
    ],
    [
      'has other bytes',
      ({ directory }) => writeFileSync(join(directory, cutFile), frames(4, 5)),
      'EOUTDATED',
    ],
    [
      'has another file',
      ({ directory }) => writeFileSync(join(directory, '00000000000000000004.log'), ''),
      'EOUTDATED',
    ],
    [
      'lost a file',
      ({ directory }) => rmSync(join(directory, '00000000000000000000.log')),
      'EOUTDATED',
    ],
    ['is gone', ({ directory }) => rmSync(directory, { recursive: true }), 'EOUTDATED'],
    ['is worked on', ({ logRoot }) => void lockLogRoot(nodeDisk, logRoot), 'ELOCKED'],
    [
      'has a format that is not known',
      ({ logRoot }) => writeFileSync(join(logRoot, 'malachi.format'), 'format=2\n'),
      'EFORMAT',
    ],
  ])('refuses a copy that %s', async (_, change, code) => {
    const { root, entry, ...copy } = settledCopy();
    change({ ...copy, root });
    const changed = readTree(root);
    const { results, errors } = await restoreEntries(nodeDisk, [entry], applied);
    expect(results).toEqual([]);
    expect(errors).toMatchObject([{ path: entry, code, exitCode: 4 }]);
    expect(readTree(root)).toEqual(changed);
  });

  test('refuses an entry that is damaged, and answers for the others', async () => {
    const [damaged, whole] = [settledCopy(), settledCopy()];
    const piece = readdirSync(damaged.entry).find((name) => name !== 'manifest.json') ?? '';
    const path = join(damaged.entry, piece);
    const bytes = readFileSync(path);
    bytes[5] = (bytes[5] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    const changed = readTree(damaged.root);
    const answer = await restoreEntries(nodeDisk, [damaged.entry, whole.entry], applied);
    expect(answer.errors).toMatchObject([{ code: 'EPIECE', exitCode: 4 }]);
    expect(answer.results).toHaveLength(1);
    expect(readTree(damaged.root)).toEqual(changed);
    expect(readTree(whole.logRoot)).toEqual(whole.before);
  });

  test('takes what is no entry for bad input', async () => {
    const { root, entry } = settledCopy();
    const { errors } = await restoreEntries(nodeDisk, [root, join(root, 'nothing')], applied);
    expect(errors.map(({ exitCode }) => exitCode)).toEqual([2, 2]);
    writeFileSync(join(entry, 'manifest.json'), '{"schema":"malachi.quarantine/2"}');
    const newer = await restoreEntries(nodeDisk, [entry], applied);
    expect(newer.errors[0]?.message).toContain('expected "malachi.quarantine/1"');
  });
});
