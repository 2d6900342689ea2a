import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Disk } from '../../src/disk/disk.js';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { StorageError } from '../../src/errors.js';
import { takeInventory, toNodeCopies } from '../../src/operations/take-inventory.js';
import { clusterCopies, clusterRoot, expectedCluster } from '../helpers/cluster.js';
import { tempDirectory } from '../helpers/temp.js';

const LOG = '00000000000000000000.log';
const NEXT_LOG = '00000000000000000009.log';

/** A log root with these files, by path; a string is a file's content, a number its size. */
function logRoot(files: Record<string, string | number>): string {
  const root = tempDirectory();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), typeof content === 'string' ? content : '');
    if (typeof content === 'number') truncateSync(join(root, path), content);
  }
  return root;
}

async function measure(root: string, disk: Disk = nodeDisk) {
  const [inventory] = await takeInventory(disk, [{ node: 'n1', root }], {});
  if (!inventory) throw new Error('no inventory');
  return inventory;
}

/** The real disk, but for one call that the system refuses at paths that `isRefused` picks. */
function refusing(call: 'stat' | 'readDirectory' | 'open', isRefused: (path: string) => boolean) {
  const refused = (path: string, ...rest: never[]): unknown => {
    if (isRefused(path)) throw new StorageError('EACCES', path, `EACCES: ${path}`);
    return (nodeDisk[call] as (path: string, ...rest: never[]) => unknown)(path, ...rest);
  };
  return { ...nodeDisk, [call]: refused };
}

test('the golden cluster’s copies, in shards and beside them', async () => {
  const roots = Object.entries(expectedCluster.nodes).map(([node, directory]) => ({
    node,
    root: join(clusterRoot, directory),
  }));
  const inventories = await takeInventory(nodeDisk, roots, {});
  expect(inventories.flatMap(({ errors }) => errors)).toEqual([]);
  expect(inventories.map(toNodeCopies)).toEqual(clusterCopies());
  const [n1] = inventories;
  const shards = n1?.copies.filter(({ segment }) => /^(gone-r0-s0|Z-r0-s[04])$/.test(segment));
  expect(shards?.map(({ segment, shard }) => [segment, shard])).toEqual([
    ['gone-r0-s0', null],
    ['Z-r0-s0', 0n],
    ['Z-r0-s4', 1n],
  ]);
});

test('all *.log files count, preallocated tails included; markers and sidecars never do', async () => {
  const root = logRoot({
    [`a-r0-s0/${LOG}`]: 67_108_864,
    [`a-r0-s0/${NEXT_LOG}`]: 41,
    'a-r0-s0/00000000000000000000.idx': 16,
    'a-r0-s0/00000000000000000000.sealed': 'not empty',
    'a-r0-s0/SEALED': 'not empty',
    'a-r0-s0/odd.log': 1000,
    'a-r0-s0/other': 5,
    [`b-r0-s0/other`]: 7,
  });
  const { copies, complete } = await measure(root);
  expect(complete).toBe(true);
  expect(copies).toEqual([
    { segment: 'a-r0-s0', shard: null, storedBytes: 67_109_905n, fenced: true, settled: null },
    { segment: 'b-r0-s0', shard: null, storedBytes: 0n, fenced: false, settled: null },
  ]);
});

test('a SETTLED marker is read, and one that says something else vouches for nothing', async () => {
  const root = logRoot({
    'a-r0-s0/SETTLED': 'end_offset=9007199254740993\nrecords=3\nbyte_size=123\n',
    'b-r0-s0/SETTLED': 'records=3\n',
  });
  const settled = (await measure(root)).copies.map((copy) => copy.settled);
  expect(settled).toEqual([{ endOffset: 9007199254740993n, records: 3n, byteSize: 123n }, null]);
});

test('foreign directories are listed, and those of something else are not', async () => {
  const foreign = Buffer.from([131, 104, 2, 97]).toString('base64url');
  const root = logRoot({
    [`${foreign}/${LOG}`]: 5,
    'lost+found/x': 1,
    'tmp/y': 2,
    'malachi.x': '',
  });
  expect((await measure(root)).copies.map(({ segment }) => segment)).toEqual([foreign]);
});

test('only markers are opened', async () => {
  const opened: string[] = [];
  const disk: Disk = {
    ...nodeDisk,
    open: (path, mode) => {
      opened.push(`${mode} ${basename(path)}`);
      return nodeDisk.open(path, mode);
    },
  };
  const root = logRoot({
    [`a-r0-s0/${LOG}`]: 5,
    'malachi.format': 'format=1\n',
    'b-r0-s0/SETTLED': '',
  });
  await measure(root, disk);
  expect(opened).toEqual(['read malachi.format', 'read SETTLED']);
});

const unmeasured = { shard: null, storedBytes: null, fenced: null, settled: null };

test.each<[string, Disk]>([
  [
    'a directory that cannot be listed',
    refusing('readDirectory', (path) => path.endsWith('b-r0-s0')),
  ],
  ['a file without a size', refusing('stat', (path) => path.includes('b-r0-s0'))],
  ['a marker that cannot be read', refusing('open', (path) => path.endsWith('SETTLED'))],
])('%s: that copy has no numbers, and the others have', async (_, disk) => {
  const root = logRoot({ [`a-r0-s0/${LOG}`]: 5, [`b-r0-s0/${LOG}`]: 6, 'b-r0-s0/SETTLED': '' });
  const { copies, errors, complete } = await measure(root, disk);
  expect(complete).toBe(true);
  expect(copies.find(({ segment }) => segment === 'a-r0-s0')?.storedBytes).toBe(5n);
  expect(copies).toContainEqual({ segment: 'b-r0-s0', ...unmeasured });
  expect(errors).toMatchObject([{ path: join(root, 'b-r0-s0'), code: 'EACCES', exitCode: 3 }]);
});

test('a shard or a root that cannot be listed makes the inventory incomplete', async () => {
  const root = logRoot({ [`shard_0/a-r0-s0/${LOG}`]: 5, [`shard_1/b-r0-s0/${LOG}`]: 6 });
  const shard = await measure(
    root,
    refusing('readDirectory', (path) => path.endsWith('shard_1')),
  );
  expect(shard).toMatchObject({ complete: false, errors: [{ code: 'EACCES' }] });
  expect(shard.copies.map(({ segment }) => segment)).toEqual(['a-r0-s0']);
  const nothing = await measure(
    root,
    refusing('readDirectory', (path) => path === root),
  );
  expect(nothing).toMatchObject({ complete: false, copies: [], errors: [{ code: 'EACCES' }] });
});

test('lost+found and the like may be closed to us', async () => {
  const root = logRoot({ 'lost+found/x': 1 });
  const disk = refusing('readDirectory', (path) => path.endsWith('lost+found'));
  expect(await measure(root, disk)).toMatchObject({ complete: true, errors: [] });
});

test('a copy in two places is not measured: which one the node uses cannot be told', async () => {
  const root = logRoot({ [`a-r0-s0/${LOG}`]: 5, [`shard_2/a-r0-s0/${LOG}`]: 6 });
  const { copies, errors } = await measure(root);
  expect(copies).toEqual([{ segment: 'a-r0-s0', ...unmeasured, shard: 2n }]);
  expect(errors).toMatchObject([{ path: join(root, 'shard_2/a-r0-s0'), code: 'EDUPLICATE' }]);
});

test('a log file that is none, and a dangling copy, are named', async () => {
  const root = logRoot({});
  mkdirSync(join(root, 'a-r0-s0', LOG), { recursive: true });
  symlinkSync('nowhere', join(root, 'b-r0-s0'));
  const { copies, errors } = await measure(root);
  expect(copies.map(({ segment, storedBytes }) => [segment, storedBytes]).sort()).toEqual([
    ['a-r0-s0', null],
    ['b-r0-s0', null],
  ]);
  expect(errors.map(({ code }) => code).sort()).toEqual(['ENOENT', 'ENOTREG']);
});

test('a root of an unknown format is refused, and the other node is measured', async () => {
  const newer = logRoot({ 'malachi.format': 'format=2\nrequires=9.0.0\n', [`a-r0-s0/${LOG}`]: 5 });
  const nodes = [
    { node: 'n1', root: newer },
    { node: 'n2', root: logRoot({ [`a-r0-s0/${LOG}`]: 5 }) },
  ];
  const [n1, n2] = await takeInventory(nodeDisk, nodes, {});
  expect(n1).toMatchObject({ complete: false, copies: [], errors: [{ exitCode: 4 }] });
  expect(n2?.copies).toHaveLength(1);
  const [ignored] = await takeInventory(nodeDisk, nodes, { ignoreFormat: true });
  expect(ignored?.copies).toHaveLength(1);
});

test('a node twice, a directory under two names, and a root that is none are refused', async () => {
  const root = logRoot({ file: '' });
  const link = join(tempDirectory(), 'link');
  symlinkSync(root, link);
  const refuse = async (message: string, ...nodes: [string, string][]): Promise<void> => {
    const roots = nodes.map(([node, path]) => ({ node, root: path }));
    await expect(takeInventory(nodeDisk, roots, {})).rejects.toMatchObject({
      message,
      exitCode: 2,
    });
  };
  await refuse('--node "n1": expected each name once, found it again', ['n1', root], ['n1', link]);
  await refuse(
    `--node "n2": expected a log root of its own, found ${link} to be the directory of "n1"`,
    ['n1', root],
    ['n2', link],
  );
  const file = join(root, 'file');
  await refuse(`${file}: expected a log root, a directory, found a file`, ['n1', file]);
  rmSync(file);
  await refuse(`${file}: no such file or directory`, ['n1', file]);
});
