import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readdirSync, writeSync, closeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bareEnvironment, bin } from '../helpers/cli.js';
import { framesOf, logName } from '../helpers/log-files.js';
import { tempDirectory } from '../helpers/temp.js';

test('an interrupt leaves neither a part of the output nor its new directory', async () => {
  const file = join(tempDirectory(), logName(0));
  const fd = openSync(file, 'w');
  for (let n = 0; n < 20; n++)
    writeSync(fd, framesOf(n * 20_000, (n + 1) * 20_000, 'v'.repeat(100)));
  closeSync(fd);
  const root = tempDirectory();
  const output = join(root, 'made', 'records.ndjson');
  const args = [bin, 'salvage', file, '--out', output, '--format', 'ndjson'];
  const child = spawn(process.execPath, args, { env: bareEnvironment, stdio: 'ignore' });
  const exited = once(child, 'exit');
  while (!existsSync(`${output}.malachi-part.${child.pid}`) && child.exitCode === null) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  child.kill('SIGINT');
  expect(await exited).toEqual([130, null]);
  expect(readdirSync(root)).toEqual([]);
});
