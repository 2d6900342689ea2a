import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Disk } from '../../src/disk/disk.js';
import { writeFully } from '../../src/disk/durable.js';
import { forEachCrash, storageCode } from './crashes.js';
import { CrashError, FaultyDisk } from './faulty-disk.js';
import { tempDirectory } from './temp.js';

const abcd = Buffer.from('abcd');

test('a fault hits what it matches, as often as asked', () => {
  const path = join(tempDirectory(), 'a');
  const disk = new FaultyDisk();
  const fd = disk.open(path, 'create');
  disk.inject({ kind: 'fail', code: 'ENOSPC' }, ({ name }) => name === 'write', 1);
  expect(storageCode(() => disk.write(fd, abcd, 0))).toBe('ENOSPC');
  disk.inject({ kind: 'short', bytes: 1 }, ({ name }) => name === 'write');
  expect(disk.write(fd, abcd, 0)).toBe(1);
  writeFully(disk, fd, abcd, 0);
  disk.close(fd);
  expect(readFileSync(path, 'utf8')).toBe('abcd');
  expect(disk.openDescriptors).toBe(0);
});

test('a crash halfway leaves half a write, and nothing works after it', () => {
  const path = join(tempDirectory(), 'a');
  const disk = new FaultyDisk().injectAtChange({ kind: 'crash', when: 'halfway' }, 2);
  const fd = disk.open(path, 'create');
  expect(() => disk.write(fd, abcd, 0)).toThrow(CrashError);
  expect(() => disk.stat(path)).toThrow(CrashError);
  expect(readFileSync(path, 'utf8')).toBe('ab');
});

test('losing power leaves the bytes of the last fsync, and the names of the last one', () => {
  const root = tempDirectory();
  writeFileSync(join(root, 'old'), 'old');
  const disk = new FaultyDisk(root);
  const kept = disk.open(join(root, 'kept'), 'create');
  disk.write(kept, abcd, 0);
  disk.sync(kept);
  disk.syncDirectory(root);
  disk.write(kept, abcd, 4);
  disk.rename(join(root, 'kept'), join(root, 'old'));
  disk.close(kept);
  disk.losePower({ names: 'synced', keep: () => false });
  expect(readFileSync(join(root, 'kept'), 'utf8')).toBe('abcd');
  expect(readFileSync(join(root, 'old'), 'utf8')).toBe('old');
  disk.losePower({ names: 'all', keep: () => true });
  expect(existsSync(join(root, 'kept'))).toBe(false);
  expect(readFileSync(join(root, 'old'), 'utf8')).toBe('abcdabcd');
});

test('forEachCrash finds a replacement that is not durable', () => {
  const scenario = (sync: boolean) => ({
    prepare: () => {
      const root = tempDirectory();
      writeFileSync(join(root, 'a'), 'old');
      return { root };
    },
    root: ({ root }: { root: string }) => root,
    work: (disk: Disk, { root }: { root: string }) => {
      const fd = disk.open(join(root, 'tmp'), 'create');
      writeFully(disk, fd, abcd, 0);
      if (sync) disk.sync(fd);
      disk.close(fd);
      disk.rename(join(root, 'tmp'), join(root, 'a'));
    },
    check: ({ root }: { root: string }, where: string) => {
      expect(['old', 'abcd'], where).toContain(readFileSync(join(root, 'a'), 'utf8'));
    },
  });
  expect(forEachCrash(scenario(true))).toBe((4 * 2 + 1 + 1) * 5);
  expect(() => forEachCrash(scenario(false))).toThrow(/lost/);
});
