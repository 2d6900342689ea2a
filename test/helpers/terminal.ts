import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bareEnvironment, bin } from './cli.js';
import { tempDirectory } from './temp.js';

/** Quotes a word for the shell. */
function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * Runs the real command line with a terminal for questions, and its result in a file.
 *
 * @param typed what is typed in.
 */
export function onTerminal(
  args: readonly string[],
  typed: string,
  cwd: string,
): { status: number | null; terminal: string; stdout: string } {
  const out = join(tempDirectory(), 'stdout');
  const line = `stty cols 80; ${[process.execPath, bin, ...args].map(quote).join(' ')} > ${quote(out)}`;
  const run = spawnSync('script', ['-qec', line, '/dev/null'], {
    encoding: 'utf8',
    input: typed,
    cwd,
    env: { ...bareEnvironment, TERM: 'dumb', SHELL: '/bin/sh' },
  });
  if (run.error) throw run.error;
  return {
    status: run.status,
    terminal: run.stdout.replaceAll('\r', ''),
    stdout: readFileSync(out, 'utf8'),
  };
}
