import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/disk/disk.js';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { createPlainKernel } from '../../src/format/frame-kernel.js';
import { memorySource } from '../../src/format/byte-source.js';
import { parseLogName } from '../../src/format/names.js';
import { verifySidecar } from '../../src/format/sidecar.js';
import { runToEnd, walkSteps } from '../../src/format/walk.js';
import { readManifest } from '../../src/operations/quarantine-manifest.js';
import { restoreEntry } from '../../src/operations/restore.js';
import { sealAtSteps } from '../../src/operations/seal-at.js';
import type { SealResult } from '../../src/operations/seal-result.js';
import type { CopySpec, MadeCopy } from '../helpers/copies.js';
import { frames, makeCopy, quickDirectory, rotAt, tornAt } from '../helpers/copies.js';
import { forEachCrash } from '../helpers/crashes.js';
import { withoutProcesses } from '../helpers/quiet-disk.js';
import { readTree } from '../helpers/tree.js';

const zeros = Buffer.alloc(100);

/** Copies that each settle in another way, and the records that every one of them keeps. */
const SCENARIOS: Record<string, { spec: CopySpec; outcome: string; kept: number }> = {
  'trimmed over three files': {
    spec: {
      end: 4,
      files: [
        { base: 0, records: 3, sealed: true, sidecar: Buffer.from('no index at all!') },
        { base: 3, records: 3, sealed: true, sidecar: Buffer.alloc(16) },
        { base: 6, records: 2, sealed: true, sidecar: Buffer.alloc(16) },
        { base: 8, records: 1, tail: Buffer.concat([tornAt(9), zeros]) },
      ],
    },
    outcome: 'trimmed',
    kept: 4,
  },
  'fenced, with a blank and a torn tail': {
    spec: {
      end: 5,
      files: [
        { base: 0, records: 3, tail: zeros },
        { base: 3, records: 2, tail: Buffer.concat([tornAt(5), zeros]) },
      ],
      others: { SETTLED: 'end_offset=4\nrecords=4\nbyte_size=1\n' },
    },
    outcome: 'fenced',
    kept: 5,
  },
  confirmed: {
    spec: { end: 2, files: [{ base: 0, records: 2, tail: rotAt(2) }] },
    outcome: 'confirmed',
    kept: 2,
  },
  short: {
    spec: { end: 6, files: [{ base: 0, records: 2, tail: Buffer.concat([tornAt(2), zeros]) }] },
    outcome: 'short',
    kept: 2,
  },
  'sealed at length 0': {
    spec: { end: 7, files: [{ base: 7, records: 2, sealed: true, tail: rotAt(9) }], byteSize: 0 },
    outcome: 'trimmed',
    kept: 0,
  },
};

function settle(disk: Disk, copy: MadeCopy): SealResult {
  const options = { apply: true, dropRot: false, assumeUnused: false };
  const quarantine = join(copy.root, 'quarantine');
  return runToEnd(sealAtSteps(withoutProcesses(disk), copy, { ...options, quarantine }));
}

/** Puts back every whole entry, the latest first. */
function restoreAll(disk: Disk, { root }: MadeCopy): void {
  const quarantine = join(root, 'quarantine');
  const whole = readdirSync(quarantine).flatMap((name) => {
    const entry = join(quarantine, name);
    return existsSync(join(entry, 'manifest.json'))
      ? [{ entry, manifest: readManifest(nodeDisk, entry) }]
      : [];
  });
  whole.sort((a, b) => (a.manifest.createdAt < b.manifest.createdAt ? 1 : -1));
  for (const { entry, manifest } of whole) {
    restoreEntry(withoutProcesses(disk), entry, manifest, { apply: true, assumeUnused: false });
  }
}

/** Reads the copy as a log, and finds the records below the end whole and in place. */
function expectReadable({ directory, seal }: MadeCopy, kept: number, where: string): void {
  const start = Number(seal.startOffset);
  let reached = seal.startOffset;
  const wanted = frames(start, start + kept);
  let read = Buffer.alloc(0);
  for (const name of readdirSync(directory).sort()) {
    const base = parseLogName(name);
    if (base === null) continue;
    const bytes = readFileSync(join(directory, name));
    const source = memorySource(bytes);
    const { validBytes, state } = runToEnd(
      walkSteps(source, createPlainKernel(65536), { baseOffset: base, parse: true }),
    );
    if (read.length < wanted.length) expect(base, where).toBe(reached);
    read = Buffer.concat([read, bytes.subarray(0, validBytes)]);
    reached = state.nextOffset;
  }
  expect(read.subarray(0, wanted.length).equals(wanted), where).toBe(true);
  if (existsSync(join(directory, 'SEALED'))) {
    expect(reached <= seal.endOffset, `fenced above its end: ${where}`).toBe(true);
    expectGoodSidecars(directory, where);
  }
}

function expectGoodSidecars(directory: string, where: string): void {
  for (const name of readdirSync(directory)) {
    if (!name.endsWith('.idx')) continue;
    const log = readFileSync(join(directory, name.replace('.idx', '.log')));
    const sidecar = readFileSync(join(directory, name));
    expect(verifySidecar(sidecar, memorySource(log), log.length).status, where).toBe('ok');
  }
}

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
        restoreAll(nodeDisk, copy);
        expect(readTree(copy.logRoot), where).toEqual(before);
        settle(nodeDisk, copy);
        expect(readTree(copy.logRoot), where).toEqual(after);
      },
    });
    expect(crashes).toBeGreaterThan(20);
  });
});
