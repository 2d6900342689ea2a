import { spawn } from 'node:child_process';
import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findFileHolders, requireUnused } from '../../src/disk/in-use.js';
import type { OpenMode } from '../../src/disk/disk.js';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { FaultyDisk } from '../helpers/faulty-disk.js';
import { tempDirectory } from '../helpers/temp.js';

/** Starts a process that holds a file open until the test ends. @returns its pid. */
async function holdOpen(path: string): Promise<number> {
  const script =
    'require("fs").openSync(process.argv[1], "r+"); console.log(1); setInterval(Number, 1e6)';
  const child = spawn(process.execPath, ['-e', script, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child.pid ?? 0;
}

function makeCopy(): { root: string; copy: string; file: string } {
  const root = tempDirectory();
  const copy = join(root, 'events-r0-s1');
  mkdirSync(copy);
  const file = join(copy, '00000000000000000000.log');
  writeFileSync(file, 'x');
  return { root, copy, file };
}

describe('the in-use check', () => {
  test('names the process that has a file open', async () => {
    const { root, copy, file } = makeCopy();
    expect(findFileHolders(nodeDisk, [root])).toMatchObject({ kind: 'checked', holders: [] });
    const pid = await holdOpen(file);
    for (const directory of [root, copy]) {
      expect(findFileHolders(nodeDisk, [directory])).toMatchObject({
        holders: [{ pid, name: 'node', path: file }],
      });
    }
    expect(() => requireUnused(nodeDisk, [root], true)).toThrow(
      expect.objectContaining({ code: 'EINUSE', exitCode: 4 }),
    );
    expect(() => requireUnused(nodeDisk, [root], true)).toThrow(
      `process ${pid} (node) has ${file} open`,
    );
  });

  test('finds a file that is open under another name, and one that was deleted', async () => {
    const { root, file } = makeCopy();
    const elsewhere = tempDirectory();
    linkSync(file, join(elsewhere, 'hard'));
    const linked = await holdOpen(join(elsewhere, 'hard'));
    const holders = findFileHolders(nodeDisk, [root]);
    expect(holders).toMatchObject({ holders: [{ pid: linked }] });

    const other = makeCopy();
    symlinkSync(other.root, join(elsewhere, 'root'));
    const deleted = await holdOpen(other.file);
    rmSync(other.file);
    expect(findFileHolders(nodeDisk, [join(elsewhere, 'root')])).toMatchObject({
      holders: [{ pid: deleted }],
    });
  });

  test('does not count files beside the directory, nor its own', async () => {
    const { copy, file } = makeCopy();
    writeFileSync(`${copy}-beside`, '');
    await holdOpen(`${copy}-beside`);
    const own = nodeDisk.open(file, 'read');
    expect(findFileHolders(nodeDisk, [copy])).toMatchObject({ holders: [] });
    nodeDisk.close(own);
    requireUnused(nodeDisk, [copy], false);
  });

  test.each(['EACCES', 'EIO', 'ENOTCONN'])(
    '%s: wants --yes where a node of the owner cannot be looked at, and only warns of others',
    async (code) => {
      const { root, file } = makeCopy();
      const pid = await holdOpen(file);
      const hideProcess = (name: string): FaultyDisk =>
        new NamingDisk(`/proc/${pid}/comm`, name).inject(
          { kind: 'fail', code },
          ({ path }) => path === `/proc/${pid}/fd`,
        );
      expect(findFileHolders(hideProcess('vim'), [root])).toMatchObject({ holders: [] });
      expect(requireUnused(hideProcess('vim'), [root], false)).toContainEqual({ pid, name: 'vim' });
      const node = hideProcess('beam.smp');
      expect(() => requireUnused(node, [root], false)).toThrow(
        expect.objectContaining({ code: 'EUNCHECKED', exitCode: 4 }),
      );
      expect(requireUnused(node, [root], true)).toContainEqual({ pid, name: 'beam.smp' });
    },
  );
});

/** Lets one small file read as something else. */
class NamingDisk extends FaultyDisk {
  readonly #path: string;
  readonly #text: string;
  #fd: number | null = null;

  constructor(path: string, text: string) {
    super();
    this.#path = path;
    this.#text = text;
  }

  override open(path: string, mode: OpenMode): number {
    const fd = super.open(path, mode);
    this.#fd = path === this.#path ? fd : this.#fd === fd ? null : this.#fd;
    return fd;
  }

  override read(fd: number, target: Uint8Array, position: number): number {
    if (fd !== this.#fd) return super.read(fd, target, position);
    return Buffer.from(target.buffer, target.byteOffset).write(this.#text);
  }
}
