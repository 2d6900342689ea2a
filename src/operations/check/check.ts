import { join } from 'node:path';
import { InvalidInputError } from '../../errors.js';
import { mapConcurrently } from '../concurrently.js';
import type { Problem } from '../problem.js';
import { toProblem } from '../problem.js';
import { withProgress, type Progress } from '../progress.js';
import { readCase } from './case-file.js';
import type { FoundCase } from './find-cases.js';
import { CASE_FILE, findCases } from './find-cases.js';
import type { CaseRun, CheckTools } from './run-case.js';
import { runCase } from './run-case.js';

export interface CaseReport extends Partial<CaseRun> {
  readonly name: string;
  /** `invalid`: it asks for something that cannot be run; see its error. */
  readonly status: 'passed' | 'failed' | 'invalid';
  readonly elapsedMs: number;
  /** Why it is invalid. */
  readonly error?: Problem;
}

export interface CheckAnswer {
  /** In the order of their names. */
  readonly cases: readonly CaseReport[];
  /** What kept cases from being found or run. */
  readonly errors: readonly Problem[];
  readonly summary: {
    readonly cases: number;
    readonly passed: number;
    readonly failed: number;
    readonly invalid: number;
  };
}

export interface CheckOptions {
  /** Only cases whose name contains this. */
  readonly filter?: string;
  /** Cases that run at the same time. */
  readonly jobs: number;
  readonly progress?: Progress | undefined;
}

/**
 * Runs the cases at and below a directory.
 *
 * @throws InvalidInputError if there is no case, or none that the filter lets through.
 */
export async function check(
  tools: CheckTools,
  directory: string,
  options: CheckOptions,
): Promise<CheckAnswer> {
  const errors: Problem[] = [];
  const found = findCases(tools.disk, directory, errors);
  const { filter = '' } = options;
  const chosen = found.filter(({ name }) => name.includes(filter));
  if (chosen.length === 0 && errors.length === 0) {
    const what = `expected a case with ${JSON.stringify(filter)} in its name`;
    throw new InvalidInputError(`${directory}: ${what}, found none among ${found.length}`);
  }
  const { jobs, progress } = options;
  const cases = await withProgress(progress, chosen.length, 'cases', () =>
    mapConcurrently(chosen, jobs, async (one) => {
      const report = await runOne(tools, one);
      progress?.advance(1);
      return report;
    }),
  );
  errors.push(...cases.flatMap(({ error }) => error ?? []));
  const count = (status: CaseReport['status']): number =>
    cases.filter((one) => one.status === status).length;
  return {
    cases,
    errors,
    summary: {
      cases: cases.length,
      passed: count('passed'),
      failed: count('failed'),
      invalid: count('invalid'),
    },
  };
}

async function runOne(tools: CheckTools, found: FoundCase): Promise<CaseReport> {
  const { name, directory } = found;
  const started = performance.now();
  const elapsedMs = (): number => Math.round(performance.now() - started);
  try {
    const run = await runCase(tools, found, readCase(tools.disk, join(directory, CASE_FILE)));
    const holds = run.exit.expected === run.exit.found && run.differences.length === 0;
    const status = holds ? 'passed' : 'failed';
    return { name, status, elapsedMs: elapsedMs(), ...run };
  } catch (error) {
    return { name, status: 'invalid', elapsedMs: elapsedMs(), error: toProblem(directory, error) };
  }
}
