import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bareEnvironment, bin } from './cli.js';
import { fixtures } from './golden.js';

const CONSOLE_BLOCK = /^```console\n(.*?)^```$/gms;
const STAMP = /\d{8}T\d{6}\.\d{3}Z/g;
/** Notes about the machine that it runs on. */
const MACHINE_NOTE = /^Process \d+ .*\n/gm;

/**
 * Runs the commands of the console blocks, one after the other in one place that holds `incident`, and
 * answers the text with what they print now.
 *
 * @param directory an empty one.
 */
export function withPresentOutput(text: string, directory: string): string {
  const programs = join(directory, 'programs');
  const workplace = join(directory, 'workplace');
  mkdirSync(programs);
  cpSync(join(fixtures, 'incident'), join(workplace, 'incident'), { recursive: true });
  mkdirSync(join(workplace, 'rescued'));
  const shim = `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`;
  writeFileSync(join(programs, 'malachi'), shim, { mode: 0o755 });
  const PATH = `${programs}:${bareEnvironment.PATH}`;

  return text.replace(CONSOLE_BLOCK, (_, block: string) => {
    let shown = '';
    for (const line of block.split('\n').filter((text) => text.startsWith('$ '))) {
      const { stdout, status } = spawnSync('bash', ['--norc', '-c', `${line.slice(2)} 2>&1`], {
        cwd: workplace,
        env: { PATH },
        encoding: 'utf8',
      });
      const output = stdout
        .replaceAll(workplace, '/srv')
        .replace(STAMP, '20261130T031500.000Z')
        .replace(MACHINE_NOTE, '');
      shown += `${line}\n${output}${status === 0 ? '' : `(exit ${status})\n`}`;
    }
    return `\`\`\`console\n${shown}\`\`\``;
  });
}
