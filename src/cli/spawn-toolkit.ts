import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { InvalidInputError, StorageError } from '../errors.js';
import type { FinishedRun } from '../operations/check/run-case.js';
import type { Context } from './context.js';

/** How many runs of the toolkit a case's run may be nested in: a case may run `check` on other cases. */
const MOST_NESTED = 4;
const DEPTH_VARIABLE = 'MALACHI_CHECK_DEPTH';

const entry = fileURLToPath(new URL('../../bin/malachi.js', import.meta.url));

/**
 * Runs a command line of this toolkit in a process of its own, without colour and without input.
 *
 * @throws InvalidInputError if cases that run cases do so without end. @throws StorageError
 */
export async function spawnToolkit(
  context: Context,
  args: readonly string[],
  directory: string,
): Promise<FinishedRun> {
  const depth = Number(process.env[DEPTH_VARIABLE] ?? 0) + 1;
  if (depth > MOST_NESTED) {
    throw new InvalidInputError(
      `${directory}: expected at most ${MOST_NESTED} runs of check inside each other, found more`,
    );
  }
  const child = spawn(process.execPath, [entry, ...args], {
    cwd: directory,
    env: { ...process.env, FORCE_COLOR: '0', [DEPTH_VARIABLE]: String(depth) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const release = context.onInterrupt(() => child.kill('SIGKILL'));
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => stdout.push(piece));
  child.stderr.on('data', (piece: Buffer) => stderr.push(piece));
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.on('error', (error: NodeJS.ErrnoException) =>
        reject(new StorageError(error.code ?? 'EIO', directory, error.message, { cause: error })),
      );
      child.on('close', resolve);
    });
    return { exitCode, stdout: textOf(stdout), stderr: textOf(stderr) };
  } finally {
    release();
  }
}

function textOf(pieces: readonly Buffer[]): string {
  return Buffer.concat(pieces).toString('utf8');
}
