import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Disk } from '../../src/disk/disk.js';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { StorageError } from '../../src/errors.js';
import { compare } from '../../src/operations/compare.js';
import { inProcessRunner } from '../../src/operations/jobs.js';
import { framesOf, writeLog } from '../helpers/log-files.js';
import { tempDirectory } from '../helpers/temp.js';

/** A disk on which the directories with this name cannot be listed. */
function without(name: string): Disk {
  return {
    ...nodeDisk,
    readDirectory: (path) => {
      if (path.endsWith(name)) throw new StorageError('EIO', path, `EIO: ${path}`);
      return nodeDisk.readDirectory(path);
    },
  };
}

/** Nodes a and b, with a copy each in a shard of its own, seen through a disk. */
async function compareTwo(disk: Disk) {
  const root = tempDirectory();
  for (const node of ['a', 'b']) {
    writeLog(join(root, node, `shard_${node === 'a' ? 0 : 1}`, 'events-r0-s0'), 0, framesOf(0, 2));
  }
  mkdirSync(join(root, 'a', 'lost+found'));
  const roots = ['a', 'b'].map((node) => ({ node, root: join(root, node) }));
  return compare(disk, roots, null, {}, inProcessRunner(disk));
}

test.each(['shard_1', '/b', 'shard_1/events-r0-s0'])(
  'a copy that %s may hold is unreadable, and not missing, if that cannot be listed',
  async (name) => {
    const { segments, errors } = await compareTwo(without(name));
    expect(segments).toMatchObject([{ verdict: 'damaged', nodes: ['b'] }]);
    expect(segments[0]?.copies.get('b')?.status).toBe('unreadable');
    expect(errors).toMatchObject([{ code: 'EIO', exitCode: 3 }]);
  },
);

test('a directory that no copy can be in is nobody’s business', async () => {
  const { segments, errors } = await compareTwo(without('lost+found'));
  expect(segments).toMatchObject([{ verdict: 'identical' }]);
  expect(errors).toEqual([]);
});
