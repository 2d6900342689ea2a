import type { SpawnSyncReturns } from 'node:child_process';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parse } from 'lossless-json';

export const bin = fileURLToPath(new URL('../../bin/malachi.js', import.meta.url));

/** An environment with nothing in it but where programs are. */
export const bareEnvironment = { PATH: process.env['PATH'] ?? '' };

export interface CliOptions {
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs the real command line in a bare environment. */
export function malachi(
  args: readonly string[],
  options: CliOptions = {},
): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [bin, ...args], {
    encoding: 'utf8',
    env: { ...bareEnvironment, ...options.environment },
    maxBuffer: 1 << 30,
    ...(options.cwd !== undefined && { cwd: options.cwd }),
  });
}

/** Parses an answer losslessly: integers that a double cannot hold become bigints. */
export function parseAnswer<T>(json: string): T {
  return parse(json, null, (digits) => {
    const value = Number(digits);
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(digits) : value;
  }) as T;
}
