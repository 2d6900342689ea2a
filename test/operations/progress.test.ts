import fc from 'fast-check';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { compare } from '../../src/operations/compare.js';
import { dumpSteps } from '../../src/operations/dump/dump.js';
import { resolveCopy } from '../../src/operations/dump/resolve-copy.js';
import { runToEnd } from '../../src/format/walk.js';
import { inspect } from '../../src/operations/inspect.js';
import { inProcessRunner } from '../../src/operations/jobs.js';
import { planFromInputs } from '../../src/operations/plan-overrun.js';
import type { Progress } from '../../src/operations/progress.js';
import { forwardOnly, runListing, withProgress } from '../../src/operations/progress.js';
import { reindex } from '../../src/operations/reindex.js';
import { rawFrame, salvage } from '../../src/operations/salvage/salvage.js';
import { takeInventory } from '../../src/operations/take-inventory.js';
import { clusterInputs, clusterRoot } from '../helpers/cluster.js';
import { goldenRoot } from '../helpers/golden.js';
import { framesOf, writeLog } from '../helpers/log-files.js';
import { listener } from '../helpers/progress.js';
import { tempDirectory } from '../helpers/temp.js';

const damagedLog = join(goldenRoot, 'rot-middle-frame', '00000000000000000000.log');
const inputs = clusterInputs(clusterRoot);
const { nodes } = inputs;
const MIB = 1024 * 1024;

function logFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.log'))
    .map((path) => join(root, path));
}

type Work = (path: string, progress: Progress) => unknown;

const dumping =
  (reverse: boolean): Work =>
  (path, progress) => {
    const { files } = resolveCopy(nodeDisk, path, {});
    const options = { fromOffset: 0n, limit: Infinity, reverse, progress };
    for (const step of dumpSteps(nodeDisk, files, options)) void step;
  };
const inspecting: Work = (path, progress) =>
  inspect(nodeDisk, [path], {}, inProcessRunner(nodeDisk, progress));
const salvaging: Work = (path, progress) =>
  salvage(nodeDisk, path, { includeOutOfSequence: false, progress }, rawFrame, {
    write: () => undefined,
    isGone: false,
  });
const reindexing: Work = (path, progress) =>
  reindex(nodeDisk, [path], {
    ...{ apply: false, indexInterval: null, assumeUnused: false, progress },
    onLock: () => undefined,
  });

describe('work tells how much there is, and comes to that', () => {
  test.each<[string, string, Work]>([
    ['inspect', goldenRoot, inspecting],
    ['dump', damagedLog, dumping(false)],
    ['dump --reverse', damagedLog, dumping(true)],
    ['salvage', damagedLog, salvaging],
  ])('%s, by bytes', async (_, path, work) => {
    const files = path.endsWith('.log') ? [path] : logFiles(path);
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    const { progress, heard } = listener();
    await work(path, progress);
    expect(bytes).toBeGreaterThan(0);
    expect(heard).toMatchObject([{ total: bytes, unit: 'bytes', done: bytes, ended: true }]);
  });

  /** Records, a damage at half of it, and bytes in which a next one is looked for. */
  function largeFile(): string {
    const directory = join(tempDirectory(), 'events-r0-s0');
    mkdirSync(directory);
    const records = framesOf(0, 4 * 64, Buffer.alloc(16 * 1024, 'value'));
    const noise = Buffer.alloc(records.length, 'no record');
    writeFileSync(join(directory, '00000000000000000000.sealed'), '');
    return writeLog(directory, 0, Buffer.concat([records, noise]));
  }

  test.each<[string, Work]>([
    ['inspect', inspecting],
    ['dump', dumping(false)],
    ['dump --reverse', dumping(true)],
    ['salvage', salvaging],
  ])('%s, on the way through one file, also where it searches', async (_, work) => {
    const { progress, heard } = listener();
    await work(largeFile(), progress);
    const [one] = heard;
    expect(one?.total).toBeGreaterThan(8 * MIB);
    expect(one?.done).toBe(one?.total);
    expect(one?.largest).toBeLessThanOrEqual(2 * MIB);
  });

  test('reindex, on the way through one file', async () => {
    const { progress, heard } = listener();
    await reindexing(largeFile(), progress);
    // It does not look behind the damage.
    const [one] = heard;
    expect(one?.steps).toBeGreaterThan(4);
    expect(one?.done).toBe(one?.total);
  });

  test.each([
    ['with a limit', { limit: 2 }],
    ['from an offset', { fromOffset: 100n }],
  ])('a dump %s does not know how much it will read', (_, some) => {
    const { progress, heard } = listener();
    const { files } = resolveCopy(nodeDisk, largeFile(), {});
    const options = { fromOffset: 0n, limit: Infinity, reverse: false, progress, ...some };
    for (const step of dumpSteps(nodeDisk, files, options)) void step;
    expect(heard).toMatchObject([{ total: null, ended: true }]);
  });

  test('a dump passes over what is not wanted in steps, so that it can be interrupted', () => {
    const { files } = resolveCopy(nodeDisk, largeFile(), {});
    const options = { fromOffset: 250n, limit: Infinity, reverse: false };
    const positions: number[] = [];
    for (const step of dumpSteps(nodeDisk, files, options)) {
      if (typeof step === 'number') positions.push(step);
      else break;
    }
    expect(positions.length).toBeGreaterThan(30);
    expect(positions[0]).toBeLessThan(MIB);
  });

  test('a dump in reverse does too, behind the records that are wanted', () => {
    const { files } = resolveCopy(nodeDisk, largeFile(), {});
    const options = { fromOffset: 250n, limit: Infinity, reverse: true };
    const steps = [...dumpSteps(nodeDisk, files, options)];
    const last = steps.findLastIndex((step) => typeof step === 'object');
    const behind = steps.slice(last + 1).filter((step) => typeof step === 'number');
    const skipping = behind.filter((position) => position < 4 * MIB - 8 * 16 * 1024);
    expect(skipping.length).toBeGreaterThan(30);
  });

  test('a dump that its reader ends, or that cannot open a file, ends its progress', () => {
    const { progress, heard } = listener();
    const { files } = resolveCopy(nodeDisk, damagedLog, {});
    const options = { fromOffset: 0n, limit: Infinity, reverse: false, progress };
    const steps = dumpSteps(nodeDisk, files, options);
    steps.next();
    steps.return({ records: 0, damages: [], errors: [] });
    const gone = files.map((file) => ({ ...file, path: join(tempDirectory(), 'gone.log') }));
    expect(runToEnd(dumpSteps(nodeDisk, gone, options)).errors).toHaveLength(1);
    expect(heard.map(({ ended }) => ended)).toEqual([true, true]);
  });

  test('reindex, by the bytes of the files that are due an index', async () => {
    const isDue = (path: string): boolean =>
      ['.sealed', '.idx'].some((suffix) => existsSync(path.replace(/\.log$/, suffix)));
    const due = logFiles(goldenRoot).filter(isDue);
    const bytes = due.reduce((sum, path) => sum + statSync(path).size, 0);
    const { progress, heard } = listener();
    await reindexing(goldenRoot, progress);
    expect(due.length).toBeLessThan(logFiles(goldenRoot).length);
    expect(heard).toMatchObject([{ total: bytes, unit: 'bytes', done: bytes, ended: true }]);
  });

  test.each<[string, (progress: Progress) => Promise<unknown>]>([
    ['inventory', (progress) => takeInventory(nodeDisk, nodes, {}, progress)],
    ['plan-overrun', (progress) => planFromInputs(nodeDisk, inputs, progress)],
  ])('%s, by copies: first listed, then measured', async (_, work) => {
    const { progress, heard } = listener();
    await work(progress);
    const inventories = await takeInventory(nodeDisk, nodes, {});
    expect(heard).toMatchObject(
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
  expect(heard).toMatchObject([{ total: 3, unit: 'cases', done: 0, ended: true }]);
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
  expect(heard).toMatchObject([{ total: null, unit: 'copies', done: 5, ended: true }]);
});
