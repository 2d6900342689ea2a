import { join } from 'node:path';
import { expect } from 'vitest';
import { malachi, parseAnswer } from './cli.js';
import { expectedCluster, metadataPath } from './cluster.js';

interface SkippedCopy {
  segment: string;
  replica: string | null;
  reason: string;
}

export interface PlanAnswerJson {
  schema: string;
  actions: Record<string, unknown>[];
  next_after: string | null;
  unsettled: number;
  remaining: number;
  short: Record<string, unknown>[];
  skipped: SkippedCopy[];
  orphaned_fences: { replica: string; segment: string }[];
  errors: { path: string; code: string }[];
}

export const metadata = ['--metadata', metadataPath];

/** `--node` for the three nodes of a cluster. */
export function nodesOf(cluster: string): string[] {
  return Object.entries(expectedCluster.nodes).flatMap(([node, directory]) => [
    '--node',
    `${node}=${join(cluster, directory)}`,
  ]);
}

/** Runs `plan-overrun --json`. */
export function plan(...args: string[]) {
  const { status, stdout, stderr } = malachi(['plan-overrun', '--json', ...args]);
  return { status, stderr, stdout, answer: parseAnswer<PlanAnswerJson>(stdout) };
}

/** Holds a whole plan of the golden cluster against the system's own. */
export function expectGolden({ status, answer }: ReturnType<typeof plan>): void {
  expect(status).toBe(1);
  expect(answer.schema).toBe('malachi.plan-overrun/1');
  // Every integer as a bigint, as the expected ones are.
  const exact = (value: unknown) =>
    Object.entries(value as object).map(([key, held]: [string, unknown]) => [
      key,
      typeof held === 'number' ? BigInt(held) : held,
    ]);
  expect(answer.actions.map(exact)).toEqual(expectedCluster.actions.map(exact));
  expect(answer.unsettled).toBe(expectedCluster.actions.length);
  expect(answer.remaining).toBe(0);
  const short = answer.short.map((copy) =>
    [copy['replica'], copy['segment'], copy['recorded_bytes'], copy['stored_bytes']].join(' '),
  );
  expect(short.sort()).toEqual(expectedCluster.short.map((copy) => copy.join(' ')).sort());
  expect(answer.orphaned_fences).toEqual(
    expectedCluster.orphaned_fences.map(([replica, segment]) => ({ replica, segment })),
  );
  expect(answer.errors).toEqual([]);
}
