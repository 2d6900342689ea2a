import { execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lockLogRoot } from '../../src/disk/lock.js';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { currentProcess } from '../../src/disk/process-identity.js';
import { CrashError, FaultyDisk } from '../helpers/faulty-disk.js';
import { tempDirectory } from '../helpers/temp.js';

const self = currentProcess(nodeDisk);
/** The pid of this process, but one that started at another time: given out again since. */
const dead = { ...self, startTime: '1' };

describe('the lock on a log root', () => {
  test('keeps a second run out, and leaves nothing when released', () => {
    const root = tempDirectory();
    const lock = lockLogRoot(nodeDisk, root);
    expect(() => lockLogRoot(nodeDisk, root)).toThrow(
      expect.objectContaining({ code: 'ELOCKED', exitCode: 4 }),
    );
    expect(() => lockLogRoot(nodeDisk, root)).toThrow(`process ${process.pid}`);
    lock.release();
    lock.release();
    expect(readdirSync(root)).toEqual([]);
    lockLogRoot(nodeDisk, root).release();
  });

  test('of a process that has ended is taken over', () => {
    const pid = Number(execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }));
    for (const holder of [
      { ...self, pid },
      dead,
      { ...self, bootId: 'an earlier start of the machine' },
    ]) {
      const root = tempDirectory();
      lockLogRoot(nodeDisk, root, holder);
      const lock = lockLogRoot(nodeDisk, root);
      expect(readdirSync(root).map((name) => readlinkSync(join(root, name)))).toEqual([
        JSON.stringify(self),
      ]);
      lock.release();
      expect(readdirSync(root)).toEqual([]);
    }
  });

  test('of another host or container is never taken over', () => {
    for (const holder of [
      { ...dead, host: 'elsewhere' },
      { ...dead, pidNamespace: 'pid:[1]' },
    ]) {
      const root = tempDirectory();
      const { path } = lockLogRoot(nodeDisk, root, holder);
      expect(() => lockLogRoot(nodeDisk, root)).toThrow(`remove ${path}`);
    }
  });

  test('that says nothing is left alone', () => {
    const root = tempDirectory();
    const lock = lockLogRoot(nodeDisk, root, dead);
    nodeDisk.unlink(lock.path);
    writeFileSync(lock.path, '');
    expect(() => lockLogRoot(nodeDisk, root)).toThrow(expect.objectContaining({ code: 'ELOCKED' }));
    lock.release();
    expect(readdirSync(root)).toHaveLength(1);
  });

  test('goes to one of two that take over the same dead lock, whenever the other comes in', () => {
    const rival = { ...self, pid: process.ppid, startTime: startTimeOf(process.ppid) };
    let moments = 0;
    for (let moment = 1; ; moment++) {
      const root = tempDirectory();
      lockLogRoot(nodeDisk, root, dead);
      let rivalLock: ReturnType<typeof lockLogRoot> | null = null;
      let calls = 0;
      const disk = new FaultyDisk().inject({ kind: 'short', bytes: 0 }, () => {
        if (++calls === moment) rivalLock = attempt(() => lockLogRoot(nodeDisk, root, rival));
        return false;
      });
      const lock = attempt(() => lockLogRoot(disk, root, self));
      if (calls < moment) break;
      moments++;
      expect([lock, rivalLock].filter(Boolean), `moment ${moment}`).toHaveLength(1);
      for (const held of [lock, rivalLock]) held?.release();
      const next = lockLogRoot(nodeDisk, root);
      next.release();
      expect(readdirSync(root)).toEqual([]);
    }
    expect(moments).toBeGreaterThan(8);
  });

  test('is free again after a crash at any step of taking it', () => {
    for (const when of ['before', 'after'] as const) {
      for (let nth = 1; nth <= 3; nth++) {
        const root = tempDirectory();
        lockLogRoot(nodeDisk, root, dead);
        const disk = new FaultyDisk().injectAtChange({ kind: 'crash', when }, nth);
        expect(() => {
          lockLogRoot(disk, root, { ...dead, startTime: '2' }).release();
        }).toThrow(CrashError);
        lockLogRoot(nodeDisk, root).release();
        expect(readdirSync(root)).toEqual([]);
      }
    }
  });

  test('cannot be taken on a root that cannot be written to', () => {
    const disk = new FaultyDisk().inject({ kind: 'fail', code: 'EROFS' }, ({ changes }) => changes);
    expect(() => lockLogRoot(disk, tempDirectory())).toThrow(
      expect.objectContaining({ code: 'EROFS', exitCode: 3 }),
    );
  });
});

function attempt<T>(take: () => T): T | null {
  try {
    return take();
  } catch (error) {
    expect(error).toMatchObject({ code: 'ELOCKED' });
    return null;
  }
}

function startTimeOf(pid: number): string {
  return execFileSync('awk', ['{ print $22 }', `/proc/${pid}/stat`], { encoding: 'utf8' }).trim();
}
