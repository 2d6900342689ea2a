import { Chalk } from 'chalk';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSnapshot } from '../../src/control-plane/snapshot.js';
import { planOverrun } from '../../src/policy/overrun-plan.js';
import { renderPlan } from '../../src/report/plan-overrun.js';
import type { PlanAnswer } from '../../src/operations/plan-overrun.js';
import { clusterCopies, metadataPath } from '../helpers/cluster.js';

const style = { chalk: new Chalk({ level: 0 }), columns: 80 };

const nothing: PlanAnswer = {
  batchSize: 64,
  after: null,
  actions: [],
  nextAfter: null,
  measured: 0,
  unsettled: 0,
  remaining: 0,
  short: [],
  confirmed: [],
  skipped: [],
  orphanedFences: [],
  errors: [],
};

test('the golden cluster fits 80 columns, offsets above 2^53 and all', () => {
  const text = readFileSync(metadataPath, 'utf8');
  const options = { replicationFactor: null, partial: false, failed: new Set<string>() };
  const plan = planOverrun(readSnapshot([{ name: 'm', text }]), clusterCopies(), {
    ...options,
    batchSize: 64,
    after: null,
  });
  const lines = renderPlan({ ...plan, errors: [] }, style).split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(lines).toContain('Unsettled: 68 copies above the recorded size');
  expect(lines.find((line) => line.startsWith('events-r0-s0/malachi@n2'))).toMatch(
    / 9007199254740995 +9007199254741003 +300$/,
  );
  expect(lines.find((line) => line.startsWith('Z-r0-s6 '))).toMatch(/ active$/);
  expect(lines).toContain('Z-r1-s6/malachi@n1');
  expect(lines.join(' ')).toMatch(/repaired by a backfill.*catch up from a healthy replica/);
});

test('the next cursor is one word of a shell, whatever the node is called', () => {
  const action = {
    replica: "o'neil@n1",
    segment: 'events-r0-s1',
    startOffset: 0n,
    endOffset: 1n,
    recordedBytes: 1n,
    storedBytes: 2n,
    surplusBytes: 1n,
  };
  const nextAfter = "events-r0-s1/o'neil@n1";
  const plan = {
    ...nothing,
    measured: 2,
    unsettled: 2,
    remaining: 1,
    actions: [action],
    nextAfter,
  };
  expect(renderPlan(plan, style)).toContain(
    "This batch holds 1, and leaves 1. The next one:\n  --after 'events-r0-s1/o'\\''neil@n1'\n",
  );
});

test('nothing to say is one line; what could not be measured is in it', () => {
  expect(renderPlan({ ...nothing, measured: 3 }, style)).toBe('3 copies held against a seal.\n');
  const problem = { path: '/x', code: 'EACCES', message: 'no', exitCode: 3 } as const;
  expect(renderPlan({ ...nothing, errors: [problem] }, style)).toBe(
    '0 copies held against a seal; 1 path could not be measured.\n',
  );
});

test('each reason to skip is explained once', () => {
  const skipped = (['active', 'failed', 'active'] as const).map((reason, at) => ({
    segment: `a-r0-s${at}`,
    replica: reason === 'failed' ? 'n1' : null,
    reason,
  }));
  const text = renderPlan({ ...nothing, skipped }, style);
  expect(text).toContain('a-r0-s1/n1  failed\n');
  expect(text.match(/^active: /gm)).toHaveLength(1);
  expect(text.match(/^failed: /gm)).toHaveLength(1);
});

test('of very many rows the first are shown, and the number of the others', () => {
  const skipped = Array.from({ length: 200_001 }, (_, at) => ({
    segment: `a-r0-s${at}`,
    replica: null,
    reason: 'active' as const,
  }));
  const text = renderPlan({ ...nothing, skipped }, style);
  expect(text).toContain('a-r0-s999 ');
  expect(text).not.toContain('a-r0-s1000 ');
  expect(text).toContain('… and 199,001 more, all of them in --json\n');
});
