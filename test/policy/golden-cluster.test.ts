import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSnapshot } from '../../src/control-plane/snapshot.js';
import { planOverrun, type OverrunPlan } from '../../src/policy/overrun-plan.js';
import { clusterCopies, expectedCluster, metadataPath } from '../helpers/cluster.js';

const text = readFileSync(metadataPath, 'utf8');

function planCluster(batchSize: number): OverrunPlan {
  return planOverrun(readSnapshot([{ name: 'metadata.json', text }]), clusterCopies(), {
    replicationFactor: null,
    partial: false,
    failed: new Set(),
    batchSize,
    after: null,
  });
}

test('the whole plan is the one that the system makes', () => {
  const { actions, unsettled, remaining } = planCluster(1000);
  const inSnakeCase = actions.map((action) => ({
    replica: action.replica,
    segment: action.segment,
    start_offset: action.startOffset,
    end_offset: action.endOffset,
    recorded_bytes: action.recordedBytes,
    stored_bytes: action.storedBytes,
    surplus_bytes: action.surplusBytes,
  }));
  expect(inSnakeCase).toEqual(expectedCluster.actions);
  expect(unsettled).toBe(expectedCluster.actions.length);
  expect(remaining).toBe(0);
});

test('short copies and orphaned fences are those that the system reports', () => {
  const { short, orphanedFences } = planCluster(1000);
  const byReplica = short
    .map((copy) => [copy.replica, copy.segment, copy.recordedBytes, copy.storedBytes])
    .sort();
  expect(byReplica).toEqual([...expectedCluster.short].sort());
  expect(orphanedFences.map(({ replica, segment }) => [replica, segment])).toEqual(
    expectedCluster.orphaned_fences,
  );
});

test('a copy of a topic that the metadata does not list is named, and each active segment', () => {
  const { skipped } = planCluster(1000);
  expect(skipped).toEqual([
    { segment: 'Z-r0-s6', replica: null, reason: 'active' },
    { segment: 'Z-r1-s6', replica: null, reason: 'active' },
    { segment: 'events-r0-s9', replica: null, reason: 'active' },
    { segment: 'events-r1-s4', replica: null, reason: 'active' },
    { segment: 'events-2-r0-s11', replica: null, reason: 'active' },
    { segment: 'gone-r0-s0', replica: 'malachi@n1', reason: 'not_in_metadata' },
  ]);
});
