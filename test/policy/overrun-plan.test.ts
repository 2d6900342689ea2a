import { expect, test } from 'vitest';
import { parseCopyKey } from '../../src/control-plane/copy-key.js';
import type { MeasuredCopy, NodeCopies } from '../../src/control-plane/inventory.js';
import { InvalidInputError } from '../../src/errors.js';
import { planOverrun, type OverrunPlanOptions } from '../../src/policy/overrun-plan.js';
import { activeJson, NODES, sealedJson, snapshotOf, topicJson } from '../helpers/snapshots.js';

const [n1 = '', n2 = '', n3 = ''] = NODES;
const options: OverrunPlanOptions = {
  replicationFactor: null,
  partial: false,
  failed: new Set(),
  batchSize: 64,
  after: null,
};

function node(name: string, copies: Record<string, bigint>, fenced = false): NodeCopies {
  const measured = Object.entries(copies).map(([segment, storedBytes]): [string, MeasuredCopy] => [
    segment,
    { storedBytes, fenced, settled: null },
  ]);
  return { node: name, copies: new Map(measured), complete: true };
}

const snapshot = snapshotOf(
  topicJson('events', [sealedJson(10), sealedJson(2, { start_offset: 3 })]),
  topicJson('büro', [sealedJson(0)]),
);

test('one batch with its sizes, its cursor, and what it leaves', () => {
  const nodes = [
    node(n1, { 'events-r0-s2': 200n, 'events-r0-s10': 201n }),
    node(n2, { 'events-r0-s2': 123n, 'events-r0-s10': 123n }),
    node(n3, { 'events-r0-s2': 123n, 'events-r0-s10': 300n }),
  ];
  const after = parseCopyKey('events-r0-s2/malachi@n1', '--after');
  expect(planOverrun(snapshot, nodes, { ...options, batchSize: 2, after })).toEqual({
    batchSize: 2,
    after: 'events-r0-s2/malachi@n1',
    actions: [
      {
        replica: n1,
        segment: 'events-r0-s10',
        startOffset: 0n,
        endOffset: 3n,
        recordedBytes: 123n,
        storedBytes: 201n,
        surplusBytes: 78n,
      },
      {
        replica: n3,
        segment: 'events-r0-s10',
        startOffset: 0n,
        endOffset: 3n,
        recordedBytes: 123n,
        storedBytes: 300n,
        surplusBytes: 177n,
      },
    ],
    nextAfter: 'events-r0-s10/malachi@n3',
    measured: 6,
    unsettled: 3,
    remaining: 1,
    short: [],
    confirmed: [],
    skipped: [{ segment: 'büro-r0-s0', replica: null, reason: 'foreign_id' }],
    orphanedFences: [],
  });
});

test('a plan of nothing has no next cursor', () => {
  const { nextAfter, actions } = planOverrun(snapshot, [node(n1, {})], options);
  expect({ nextAfter, actions }).toEqual({ nextAfter: null, actions: [] });
});

test('copies that the metadata does not give a node are named, in the order of their keys', () => {
  const known = snapshotOf(
    topicJson('events', [
      sealedJson(2, { replica_set: [n1], byte_size: 1 }),
      sealedJson(10, { replica_set: [n2], primary: n2, start_offset: 3 }),
    ]),
  );
  const nodes = [
    node(n2, { g2gCaAJtAAAA: 1n, 'events-r0-s10': 123n, 'events-r0-s2': 1n }),
    node(n1, { g2gCaAJtAAAA: 1n, 'events-r0-s3': 1n, 'events-r0-s2': 1n }),
  ];
  expect(planOverrun(known, nodes, options).skipped).toEqual([
    { segment: 'events-r0-s2', replica: n2, reason: 'not_a_replica' },
    { segment: 'events-r0-s3', replica: n1, reason: 'not_in_metadata' },
    { segment: 'g2gCaAJtAAAA', replica: n1, reason: 'foreign_id' },
    { segment: 'g2gCaAJtAAAA', replica: n2, reason: 'foreign_id' },
  ]);
});

test('a fence is orphaned on the primary of an active segment, and nowhere else', () => {
  const known = snapshotOf(
    topicJson('events', [sealedJson(10), activeJson(2, { start_offset: 3 })]),
    topicJson('audit', [activeJson(0)]),
  );
  const every = { 'events-r0-s10': 123n, 'events-r0-s2': 1n, 'audit-r0-s0': 1n };
  const fencedOn = (fenced: string) =>
    planOverrun(
      known,
      NODES.map((name) => node(name, every, name === fenced)),
      options,
    ).orphanedFences;
  expect(fencedOn(n1)).toEqual([
    { replica: n1, segment: 'audit-r0-s0' },
    { replica: n1, segment: 'events-r0-s2' },
  ]);
  expect(fencedOn(n2)).toEqual([]);
});

test('a node that no replica set names is refused, and a node given twice', () => {
  const nodes = (...names: string[]) => names.map((name) => node(name, {}));
  expect(() => planOverrun(snapshot, nodes(n1, 'malachi@n9'), options)).toThrow(
    new InvalidInputError(
      'node "malachi@n9": expected a node of the metadata\'s replica sets (malachi@n1, malachi@n2, malachi@n3), found it in none',
    ),
  );
  expect(() => planOverrun(snapshot, nodes(n1, n1), options)).toThrow(
    new InvalidInputError('node "malachi@n1": expected each node once, found it again'),
  );
});
