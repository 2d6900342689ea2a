import { cpSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { blankFile } from '../helpers/blank-file.js';
import { bareEnvironment, bin } from '../helpers/cli.js';
import { tempDirectory } from '../helpers/temp.js';

const MIB = 1024 * 1024;
const LOG = '00000000000000000000.log';

/** Files of 40 MiB, all blank. */
function blankFiles(count: number): string[] {
  const root = tempDirectory();
  return Array.from({ length: count }, (_, n) =>
    blankFile(join(root, `events-r0-s${n}`, LOG), 40 * MIB),
  );
}

/** Runs `inspect` with some script in the process before it. */
function inspectAfter(script: string, args: readonly string[], launcher = bin) {
  const preload = join(tempDirectory(), 'preload.cjs');
  writeFileSync(preload, script);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--require', preload, launcher, 'inspect', ...args],
    { encoding: 'utf8', env: bareEnvironment },
  );
  return { status, stderr, answer: stdout.trimEnd().split('\n').at(-1) };
}

/** Tells of each thread that is started whether the commands were loaded by then. */
const TELLING = `
  const threads = require('node:worker_threads');
  const isLoaded = () => Object.keys(require.cache).some((path) => path.endsWith('/run.js'));
  threads.Worker = class extends threads.Worker {
    constructor(...args) {
      console.error(isLoaded() ? 'late' : 'ahead');
      super(...args);
    }
  };`;

describe.runIf(availableParallelism() > 1)('the first worker thread', () => {
  test('starts before the commands are loaded', () => {
    expect(inspectAfter(TELLING, [...blankFiles(4), '--jobs', '2'])).toEqual({
      status: 0,
      stderr: 'ahead\n',
      answer: '4 files, 0 records: 4 blank.',
    });
  });

  test('is one of those that were asked for', () => {
    const { stderr } = inspectAfter(TELLING, [...blankFiles(4), '--jobs', '3']);
    expect(stderr).toBe('ahead\nlate\n');
  });

  test('does not start for one file, nor for one job', () => {
    expect(inspectAfter(TELLING, blankFiles(1)).stderr).toBe('');
    expect(inspectAfter(TELLING, [...blankFiles(4), '--jobs=1']).stderr).toBe('');
  });

  test('keeps nobody waiting if it started for nothing', () => {
    const [path = ''] = blankFiles(1);
    expect(inspectAfter(TELLING, [path, path])).toEqual({
      status: 0,
      stderr: 'ahead\n',
      answer: '1 file, 0 records: 1 blank.',
    });
  });
});

test('where the system has no threads, the work is done without', () => {
  const refusing = `
    require('node:worker_threads').Worker = class {
      constructor() { throw new Error('ERR_WORKER_INIT_FAILED: EAGAIN'); }
    };`;
  expect(inspectAfter(refusing, blankFiles(4))).toEqual({
    status: 0,
    stderr: '',
    answer: '4 files, 0 records: 4 blank.',
  });
});

test('a thread that fails is told if it was needed', () => {
  const toolkit = tempDirectory();
  const root = join(dirname(bin), '..');
  for (const part of ['bin', 'dist']) {
    cpSync(join(root, part), join(toolkit, part), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(toolkit, 'node_modules'));
  rmSync(join(toolkit, 'dist/bundle/worker.js'));
  const launcher = join(toolkit, 'bin/malachi.js');
  const [path = '', ...others] = blankFiles(4);
  expect(inspectAfter('', [path, path], launcher).status).toBe(0);
  const needed = inspectAfter('', [path, ...others, '--jobs', '2'], launcher);
  expect(needed.status).toBe(3);
  expect(needed.stderr).toMatch(/^malachi: internal error, please report it: .*worker\.js/);
});
