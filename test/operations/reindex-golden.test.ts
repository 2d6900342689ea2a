import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/disk/disk.js';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { runToEnd } from '../../src/format/walk.js';
import { resolveTargets } from '../../src/operations/inspect-targets.js';
import type { ReindexedFile } from '../../src/operations/reindex-file.js';
import { reindexFileSteps } from '../../src/operations/reindex-file.js';
import { quickDirectory } from '../helpers/copies.js';
import { forEachCrash } from '../helpers/crashes.js';
import { goldenCases } from '../helpers/golden.js';
import { withoutProcesses } from '../helpers/quiet-disk.js';
import type { CopyInRoot } from '../helpers/recovering.js';
import { goldenCopy } from '../helpers/recovering.js';
import { readTree } from '../helpers/tree.js';

function reindexCopy(
  disk: Disk,
  { directory }: CopyInRoot,
  indexInterval: number | null,
  apply = true,
): ReindexedFile {
  const quiet = withoutProcesses(disk);
  const target = resolveTargets(quiet, [directory], {}).files.at(-1);
  if (!target) throw new Error(`${directory} has no file`);
  const options = { apply, indexInterval, assumeUnused: false };
  return runToEnd(reindexFileSteps(quiet, target, { lock: () => undefined }, options));
}

function sidecarOf({ directory }: CopyInRoot): string | null {
  const name = readdirSync(directory).find((file) => file.endsWith('.idx'));
  return name === undefined ? null : readFileSync(join(directory, name), 'hex');
}

test.each(goldenCases.map((golden) => [golden.name, golden] as const))(
  '%s: the sidecar of intact records is as the system rebuilds it, damaged ones are left alone',
  (_, golden) => {
    const { expected } = golden;
    const copy = goldenCopy(quickDirectory(), golden);
    const before = readTree(copy.root);
    const planned = reindexCopy(nodeDisk, copy, expected.index_interval, false);
    expect(readTree(copy.root)).toEqual(before);
    const report = reindexCopy(nodeDisk, copy, expected.index_interval);
    expect(report).toEqual(planned);
    if (['torn', 'rot'].includes(expected.recover.classification)) {
      expect(report).toMatchObject({ state: 'damaged', rebuilt: false });
      expect(readTree(copy.root)).toEqual(before);
      return;
    }
    expect(sidecarOf(copy)).toBe(expected.rebuilt_index_hex);
    const [log] = readdirSync(copy.directory).filter((name) => name.endsWith('.log'));
    expect(readFileSync(join(copy.directory, log ?? ''))).toEqual(readFileSync(golden.logPath));
    const again = reindexCopy(nodeDisk, copy, expected.index_interval);
    expect(again).toMatchObject({ state: 'ok', rebuilt: false });
  },
);

const named = (name: string) => {
  const golden = goldenCases.find((one) => one.name === name);
  if (!golden) throw new Error(`no golden case ${name}`);
  return golden;
};

// What verification says of these sidecars stands in the golden data; an empty one lacks every record.
test.each([
  ['index-absent', 'missing', true],
  ['index-empty', 'partial', true],
  ['index-cut-mid-entry', 'bad', true],
  ['index-entry-inside-frame', 'bad', true],
  ['index-entry-past-end', 'bad', true],
  ['index-entry-wrong-offset', 'bad', true],
  ['index-large-frame', 'other', false],
  ['sealed-with-index', 'other', false],
  ['sealed-default-interval', 'ok', false],
  ['sealed-empty', 'ok', false],
  ['index-and-frame-damaged', 'damaged', false],
])('%s is %s without a wish for an interval', (name, state, rebuilt) => {
  const copy = goldenCopy(quickDirectory(), named(name));
  expect(reindexCopy(nodeDisk, copy, null)).toMatchObject({ state, rebuilt });
});

describe('a crash at any step of a rebuild', () => {
  test.each(['index-absent', 'index-cut-mid-entry'])('%s: the old sidecar or the new', (name) => {
    const golden = named(name);
    const prepare = (): CopyInRoot => goldenCopy(quickDirectory(), golden);
    const old = sidecarOf(prepare());
    const crashes = forEachCrash<CopyInRoot>({
      prepare,
      root: ({ root }) => root,
      work: (disk, copy) => reindexCopy(disk, copy, 1),
      check: (copy, where) => {
        expect([old, golden.expected.rebuilt_index_hex], where).toContain(sidecarOf(copy));
        reindexCopy(nodeDisk, copy, 1);
        expect(sidecarOf(copy), where).toBe(golden.expected.rebuilt_index_hex);
        expect(readdirSync(copy.directory), where).toHaveLength(3);
      },
    });
    expect(crashes).toBeGreaterThan(20);
  });
});
