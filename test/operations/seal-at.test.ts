import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { runToEnd } from '../../src/format/walk.js';
import { inspect } from '../../src/operations/inspect.js';
import { sealAtSteps } from '../../src/operations/seal-at.js';
import { Log } from '../../src/store/log.js';
import type { CopySpec, MadeCopy } from '../helpers/copies.js';
import { frames, makeCopy, quickDirectory, rotAt, tornAt } from '../helpers/copies.js';
import { SCENARIOS, settle } from '../helpers/settling.js';
import { readTree } from '../helpers/tree.js';

const surplus: CopySpec = {
  end: 4,
  files: [
    { base: 0, records: 3, sealed: true },
    { base: 3, records: 2, tail: rotAt(5) },
  ],
};

describe('a copy that is settled', () => {
  test.each(['trimmed over three files', 'fenced, with a blank and a torn tail'])(
    '%s: is one that the store opens as sealed and reads to its end',
    async (name) => {
      const { spec, kept } = SCENARIOS[name] ?? { spec: surplus, kept: 0 };
      const copy = makeCopy(quickDirectory(), spec);
      settle(nodeDisk, copy);
      const { summary, errors } = await inspect(nodeDisk, [copy.directory], { preallocBytes: 0 });
      expect(errors).toEqual([]);
      expect(summary).toMatchObject({ records: kept, blank: 0, torn: 0, rot: 0, badIndex: 0 });

      const { log } = Log.open(copy.directory);
      expect(log.fenced).toBe(true);
      const record = { timestamp: 1n, key: null, value: Buffer.from('x'), headers: [] };
      expect(log.append(record)).toEqual({ kind: 'refused', reason: 'fenced' });
      expect(log.read(0n).records.map(({ offset }) => offset)).toEqual(
        Array.from({ length: kept }, (_, n) => BigInt(n)),
      );
      log.close();
    },
  );

  test('leaves other files of the directory alone', () => {
    const copy = makeCopy(quickDirectory(), { ...surplus, others: { notes: 'mine' } });
    settle(nodeDisk, copy);
    expect(readFileSync(join(copy.directory, 'notes'), 'utf8')).toBe('mine');
  });

  test('loses its rot only if that is asked for', () => {
    const copy = makeCopy(quickDirectory(), {
      end: 2,
      files: [{ base: 0, records: 2, tail: rotAt(2) }],
    });
    expect(settle(nodeDisk, copy)).toMatchObject({ outcome: 'confirmed', droppedBytes: 0 });
    expect(readFileSync(join(copy.directory, 'SETTLED'), 'utf8')).toBe(
      `end_offset=2\nrecords=2\nbyte_size=${frames(0, 2).length}\n`,
    );
    const options = { apply: true, dropRot: true, assumeUnused: false };
    const dropped = runToEnd(
      sealAtSteps(nodeDisk, copy, { ...options, quarantine: join(copy.root, 'quarantine') }),
    );
    expect(dropped).toMatchObject({
      outcome: 'fenced',
      droppedRecords: 0,
      droppedBytes: rotAt(2).length,
    });
    expect(readdirSync(copy.directory)).not.toContain('SETTLED');
    expect(readFileSync(join(copy.directory, '00000000000000000000.log'))).toEqual(frames(0, 2));
  });

  test('keeps in the quarantine what went, and says so', () => {
    const copy = makeCopy(quickDirectory(), surplus);
    const { quarantine, cut } = settle(nodeDisk, copy);
    const from = frames(3, 4).length;
    expect(cut).toEqual({
      firstFile: '00000000000000000003.log',
      position: from,
      lastFile: '00000000000000000003.log',
    });
    const gone = Buffer.concat([frames(4, 5), rotAt(5)]);
    const piece = `00000000000000000003.log.${from}-${from + gone.length}`;
    expect(readFileSync(join(quarantine ?? '', piece))).toEqual(gone);
    expect(quarantine).toMatch(
      new RegExp(
        `/malachi@n1\\.events-r0-s1\\.${frames(0, 4).length}-\\d+\\.\\d{8}T\\d{6}\\.\\d{3}Z$`,
      ),
    );
  });

  test('is not copied where it is blank, however long that is', () => {
    const tail = Buffer.concat([tornAt(2), Buffer.alloc(3_000_000)]);
    const copy = makeCopy(quickDirectory(), { end: 2, files: [{ base: 0, records: 2, tail }] });
    const { quarantine } = settle(nodeDisk, copy);
    const names = readdirSync(quarantine ?? '').filter((name) => name !== 'manifest.json');
    expect(names).toHaveLength(1);
    expect(readFileSync(join(quarantine ?? '', names[0] ?? ''))).toEqual(tornAt(2));
  });
});

describe('a copy that is not to be touched', () => {
  const expectUntouched = (copy: MadeCopy, result: object): void => {
    const before = readTree(copy.root);
    expect(settle(nodeDisk, copy)).toMatchObject(result);
    expect(readTree(copy.root)).toEqual(before);
  };

  test('a link in the place of its directory', () => {
    const copy = makeCopy(quickDirectory(), surplus);
    renameSync(copy.directory, join(copy.root, 'elsewhere'));
    symlinkSync(join(copy.root, 'elsewhere'), copy.directory);
    expectUntouched(copy, { outcome: 'refused', error: { code: 'ELINK' } });
  });

  test.each([
    '00000000000000000003.log',
    '00000000000000000003.idx',
    '00000000000000000003.sealed',
    'SEALED',
    'SETTLED',
    'SETTLING',
  ])('a link in the place of %s', (name) => {
    const copy = makeCopy(quickDirectory(), surplus);
    const outside = join(copy.root, 'outside');
    writeFileSync(outside, 'precious');
    rmSync(join(copy.directory, name), { force: true });
    symlinkSync(outside, join(copy.directory, name));
    expectUntouched(copy, { outcome: 'refused', error: { code: 'ELINK' } });
  });

  test('a log file of another name', () => {
    const copy = makeCopy(quickDirectory(), { ...surplus, others: { '3.log': 'x' } });
    expectUntouched(copy, { outcome: 'refused', error: { code: 'EBADNAME' } });
  });

  test('one that has gone, or has changed since it was planned', () => {
    const gone = makeCopy(quickDirectory(), surplus);
    rmSync(gone.directory, { recursive: true });
    expectUntouched(gone, { outcome: 'stale', heldRecords: null, error: { code: 'EOUTDATED' } });
    const grown = makeCopy(quickDirectory(), surplus);
    expectUntouched({ ...grown, plannedBytes: 1n }, { outcome: 'stale' });
    const empty = makeCopy(quickDirectory(), { end: 4, files: [] });
    expectUntouched({ ...empty, plannedBytes: null }, { outcome: 'stale', fenced: false });
  });

  test('one whose records are not the seal`s by their size', () => {
    const copy = makeCopy(quickDirectory(), { ...surplus, byteSize: 1 });
    expectUntouched(copy, { outcome: 'damaged', fenced: false, error: null });
  });

  test('one that would end before it starts', () => {
    const copy = makeCopy(quickDirectory(), { ...surplus, start: 5 });
    expectUntouched(copy, { outcome: 'refused' });
  });

  test('a directory with a name of a log file', () => {
    const copy = makeCopy(quickDirectory(), surplus);
    mkdirSync(join(copy.directory, '00000000000000000009.log'));
    expectUntouched(copy, { outcome: 'refused', error: { code: 'ELINK' } });
  });
});
