import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/disk/disk.js';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { StorageError } from '../../src/errors.js';
import { NewFile } from '../../src/operations/salvage/new-file.js';
import { tempDirectory } from '../helpers/temp.js';

const place = (root: string, makesDirectory = false) => ({
  path: join(root, makesDirectory ? 'made/new.log' : 'new.log'),
  makesDirectory,
});

/** A disk whose operation of this name fails. */
function failing(name: 'write' | 'sync' | 'rename' | 'syncDirectory' | 'open', code: string): Disk {
  return {
    ...nodeDisk,
    [name]: () => {
      throw new StorageError(code, 'new.log', `${code}: it failed`);
    },
  };
}

/** Writes a file as a command does. */
function create(disk: Disk, root: string, makesDirectory = false): void {
  const file = new NewFile(disk, place(root, makesDirectory));
  try {
    file.write(Buffer.from('first '));
    file.write(Buffer.alloc(3 << 20, 'x'));
    file.write(Buffer.from(' last'));
    file.finish();
  } catch (error) {
    file.discard();
    throw error;
  }
}

test('the file appears whole, in a directory that is made for it', () => {
  const root = tempDirectory();
  create(nodeDisk, root, true);
  const text = readFileSync(join(root, 'made/new.log'), 'latin1');
  expect(text).toBe(`first ${'x'.repeat(3 << 20)} last`);
  expect(readdirSync(join(root, 'made'))).toEqual(['new.log']);
});

describe('whatever fails, nothing is left behind', () => {
  test.each(['write', 'sync', 'rename'] as const)('%s', (name) => {
    for (const makesDirectory of [false, true]) {
      const root = tempDirectory();
      expect(() => create(failing(name, 'ENOSPC'), root, makesDirectory)).toThrow('ENOSPC');
      expect(readdirSync(root)).toEqual([]);
    }
  });

  test('opening', () => {
    const root = tempDirectory();
    expect(() => create(failing('open', 'EACCES'), root, true)).toThrow('EACCES');
    expect(readdirSync(root)).toEqual([]);
  });
});

test('a file that took the name meanwhile is not replaced', () => {
  const root = tempDirectory();
  const file = new NewFile(nodeDisk, place(root));
  writeFileSync(join(root, 'new.log'), 'another');
  expect(() => file.finish()).toThrow('taken meanwhile');
  file.discard();
  expect(readdirSync(root)).toEqual(['new.log']);
  expect(readFileSync(join(root, 'new.log'), 'utf8')).toBe('another');
});

test('what a killed run has left is removed, what another one writes is not', () => {
  const root = tempDirectory();
  const { pid: dead } = spawnSync('true');
  writeFileSync(join(root, `new.log.malachi-part.${dead}`), 'half');
  writeFileSync(join(root, `new.log.malachi-part.${process.ppid}`), 'another');
  create(nodeDisk, root);
  expect(readdirSync(root)).toEqual(['new.log', `new.log.malachi-part.${process.ppid}`]);
});

test('a made directory that others use stays', () => {
  const root = tempDirectory();
  const file = new NewFile(nodeDisk, place(root, true));
  mkdirSync(join(root, 'made/other'));
  file.discard();
  expect(readdirSync(join(root, 'made'))).toEqual(['other']);
});
