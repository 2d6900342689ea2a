import { chownSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replaceFile } from '../../src/disk/durable.js';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { FaultyDisk } from '../helpers/faulty-disk.js';
import { tempDirectory } from '../helpers/temp.js';

const isRoot = process.getuid?.() === 0;

test('a new file belongs to the owner of its directory, so that a node can go on with it', () => {
  const directory = join(tempDirectory(), 'copy');
  mkdirSync(directory);
  const owner = isRoot ? 4711 : statSync(directory).uid;
  if (isRoot) chownSync(directory, owner, 4712);
  replaceFile(nodeDisk, join(directory, 'SEALED'), Buffer.from('x'));
  expect(statSync(join(directory, 'SEALED')).uid).toBe(owner);
});

test('a user who may not give files away keeps them', () => {
  const directory = tempDirectory();
  if (isRoot) chownSync(directory, 4711, 4712);
  const disk = new FaultyDisk().inject(
    { kind: 'fail', code: 'EPERM' },
    ({ name }) => name === 'changeOwner',
  );
  replaceFile(disk, join(directory, 'SEALED'), Buffer.from('x'));
  expect(statSync(join(directory, 'SEALED')).size).toBe(1);
});
