import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blankFile } from '../helpers/blank-file.js';
import { bareEnvironment, bin } from '../helpers/cli.js';
import { goldenRoot } from '../helpers/golden.js';
import { tempDirectory } from '../helpers/temp.js';

const SPARSE_BYTES = 64 * 1024 ** 3;

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s in the middle of a long scan exits with %i', async (signal, code) => {
  const path = blankFile(join(tempDirectory(), '00000000000000000000.log'), SPARSE_BYTES);
  const child = spawn(process.execPath, [bin, 'inspect', path], { env: bareEnvironment });
  let told = '';
  child.stderr.on('data', (text) => (told += String(text)));
  child.stdout.on('data', (text) => (told += String(text)));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual([code, null]);
  expect(told).toBe('');
});

test('a signal in a stretch that cannot be interrupted is heard at its end', () => {
  const preload = join(tempDirectory(), 'preload.cjs');
  // The last thing a run does is to write its result.
  writeFileSync(
    preload,
    `const write = process.stdout.write;
    process.stdout.write = function (...args) {
      process.kill(process.pid, 'SIGTERM');
      return write.apply(this, args);
    };`,
  );
  const args = ['--require', preload, bin, 'inspect', join(goldenRoot, 'one-record')];
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: bareEnvironment,
  });
  expect(stdout).toContain('1 file, 1 record: 1 clean.');
  expect(status).toBe(143);
});
