import fc from 'fast-check';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { compare } from '../../src/operations/compare.js';
import { dumpSteps } from '../../src/operations/dump/dump.js';
import { resolveCopy } from '../../src/operations/dump/resolve-copy.js';
import { inspect } from '../../src/operations/inspect.js';
import { inProcessRunner } from '../../src/operations/jobs.js';
import { planFromInputs } from '../../src/operations/plan-overrun.js';
import type { Progress } from '../../src/operations/progress.js';
import { forwardOnly, runListing, withProgress } from '../../src/operations/progress.js';
import { reindex } from '../../src/operations/reindex.js';
import { rawFrame, salvage } from '../../src/operations/salvage/salvage.js';
import { takeInventory } from '../../src/operations/take-inventory.js';
import { clusterRoot } from '../helpers/cluster.js';
import { goldenRoot } from '../helpers/golden.js';
import { listener } from '../helpers/progress.js';

const damaged = join(goldenRoot, 'rot-middle-frame');
const LOG = '00000000000000000000.log';
const damagedLog = join(damaged, LOG);
const damagedBytes = statSync(damagedLog).size;
const nodes = ['n1', 'n2', 'n3'].map((node) => ({
  node: `malachi@${node}`,
  root: join(clusterRoot, node),
}));
const inputs = {
  metadata: [join(clusterRoot, 'metadata.json')],
  nodes,
  inventories: [],
  batchSize: 64,
  after: null,
  replicationFactor: null,
  partial: false,
  failed: [],
};

function logFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.log'))
    .map((path) => join(root, path));
}

/** Takes every record of the damaged copy. */
function dump(progress: Progress, reverse: boolean): void {
  const { files } = resolveCopy(nodeDisk, damaged, {});
  const options = { fromOffset: 0n, limit: Infinity, reverse, progress };
  for (const step of dumpSteps(nodeDisk, files, options)) void step;
}

describe('work tells how much there is, and comes to that', () => {
  test.each<[string, number, (progress: Progress) => unknown]>([
    [
      'inspect',
      logFiles(goldenRoot).reduce((sum, path) => sum + statSync(path).size, 0),
      (progress) => inspect(nodeDisk, [goldenRoot], {}, inProcessRunner(nodeDisk, progress)),
    ],
    ['dump', damagedBytes, (progress) => dump(progress, false)],
    ['dump --reverse', damagedBytes, (progress) => dump(progress, true)],
    [
      'salvage',
      damagedBytes,
      (progress) =>
        salvage(nodeDisk, damagedLog, { includeOutOfSequence: false, progress }, rawFrame, {
          write: () => undefined,
          isGone: false,
        }),
    ],
  ])('%s, by bytes', async (_, bytes, work) => {
    const { progress, heard } = listener();
    await work(progress);
    expect(bytes).toBeGreaterThan(0);
    expect(heard).toEqual([{ total: bytes, unit: 'bytes', done: bytes, ended: true }]);
  });

  test('reindex, by the bytes of the files that are due an index', async () => {
    const isDue = (path: string): boolean =>
      ['.sealed', '.idx'].some((suffix) => existsSync(path.replace(/\.log$/, suffix)));
    const due = logFiles(goldenRoot).filter(isDue);
    const bytes = due.reduce((sum, path) => sum + statSync(path).size, 0);
    const { progress, heard } = listener();
    const request = { apply: false, indexInterval: null, assumeUnused: false, onLock: () => {} };
    await reindex(nodeDisk, [goldenRoot], { ...request, progress });
    expect(due.length).toBeLessThan(logFiles(goldenRoot).length);
    expect(heard).toEqual([{ total: bytes, unit: 'bytes', done: bytes, ended: true }]);
  });

  test.each<[string, (progress: Progress) => Promise<unknown>]>([
    ['inventory', (progress) => takeInventory(nodeDisk, nodes, {}, progress)],
    ['plan-overrun', (progress) => planFromInputs(nodeDisk, inputs, progress)],
  ])('%s, by copies: first listed, then measured', async (_, work) => {
    const { progress, heard } = listener();
    await work(progress);
    const inventories = await takeInventory(nodeDisk, nodes, {});
    expect(heard).toEqual(
      inventories.flatMap(({ copies: { length } }) => [
        { total: null, unit: 'copies', done: length, ended: true },
        { total: length, unit: 'copies', done: length, ended: true },
      ]),
    );
  });

  test('compare, which lists with the same line', async () => {
    const { progress, heard } = listener();
    await compare(nodeDisk, nodes, null, { progress }, inProcessRunner(nodeDisk, progress));
    expect(heard.map(({ unit, ended }) => [unit, ended])).toEqual([
      ...nodes.map(() => ['copies', true]),
      ['bytes', true],
    ]);
    const [read] = heard.slice(-1);
    expect(read?.done).toBe(read?.total);
  });
});

test('positions that go back, or past the end, are no progress', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.array(fc.nat(2000)), (size, positions) => {
      const steps: number[] = [];
      const reach = forwardOnly(size, (bytes) => steps.push(bytes));
      positions.forEach(reach);
      expect(steps.every((bytes) => bytes > 0)).toBe(true);
      const farthest = Math.min(size, Math.max(0, ...positions));
      expect(steps.reduce((sum, bytes) => sum + bytes, 0)).toBe(farthest);
    }),
  );
});

test('work that fails ends its progress too', async () => {
  const { progress, heard } = listener();
  const failing = (): never => {
    throw new Error('failed');
  };
  await expect(withProgress(progress, 3, 'cases', failing)).rejects.toThrow('failed');
  expect(heard).toEqual([{ total: 3, unit: 'cases', done: 0, ended: true }]);
});

test('a listing advances by what it found since', async () => {
  function* listing(): Generator<number, string> {
    yield 2;
    yield 2;
    yield 5;
    return 'listed';
  }
  const { progress, heard } = listener();
  expect(await runListing(listing(), progress)).toBe('listed');
  expect(heard).toEqual([{ total: null, unit: 'copies', done: 5, ended: true }]);
});
