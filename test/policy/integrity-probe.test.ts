import { expect, test } from 'vitest';
import type { MeasuredCopy, NodeCopies } from '../../src/control-plane/inventory.js';
import type { SettledMarker } from '../../src/format/markers.js';
import {
  probeIntegrity,
  type MeasuredAgainstSeal,
  type ProbeOptions,
} from '../../src/policy/integrity-probe.js';
import { activeJson, NODES, sealedJson, snapshotOf, topicJson } from '../helpers/snapshots.js';

type Stored = number | MeasuredCopy | null;

/** A node that holds copies of `events-r0-s0` and so on; a number is a copy's stored bytes. */
function node(name: string, copies: Record<string, Stored>, complete = true): NodeCopies {
  const measured = Object.entries(copies).map(([segment, stored]) => {
    const copy =
      typeof stored === 'number'
        ? { storedBytes: BigInt(stored), fenced: false, settled: null }
        : stored;
    return [`events-r0-${segment}`, copy] as const;
  });
  return { node: name, copies: new Map(measured), complete };
}

/** Three records in 123 bytes, at offset 10. */
const snapshot = snapshotOf(topicJson('events', [sealedJson(0, { start_offset: 10 })]));

function probe(nodes: NodeCopies[], options: Partial<ProbeOptions> = {}, known = snapshot) {
  const answer = probeIntegrity(known, new Map(nodes.map((copies) => [copies.node, copies])), {
    replicationFactor: null,
    partial: false,
    failed: new Set(),
    ...options,
  });
  const show = (copies: readonly MeasuredAgainstSeal[]) =>
    copies.map(({ segment, replica, storedBytes }) => `${segment.name} ${replica} ${storedBytes}`);
  return {
    unsettled: show(answer.unsettled),
    short: show(answer.short),
    confirmed: show(answer.confirmed),
    skipped: answer.skipped.map(
      ({ segment, replica, reason }) => `${segment.name} ${replica} ${reason}`,
    ),
  };
}

const [n1 = '', n2 = '', n3 = ''] = NODES;
const nothing = { unsettled: [], short: [], confirmed: [], skipped: [] };

test('above the recorded size is unsettled, below is short, absent is 0, equal is nothing', () => {
  expect(probe([node(n1, { s0: 124 }), node(n2, { s0: 123 }), node(n3, {})])).toEqual({
    ...nothing,
    unsettled: ['events-r0-s0 malachi@n1 124'],
    short: ['events-r0-s0 malachi@n3 0'],
  });
});

test('a segment of no bytes has no short copy', () => {
  const empty = snapshotOf(topicJson('events', [sealedJson(0, { length: 0, byte_size: 0 })]));
  const answer = probe([node(n1, {}), node(n2, { s0: 0 }), node(n3, { s0: 1 })], {}, empty);
  expect(answer).toEqual({ ...nothing, unsettled: ['events-r0-s0 malachi@n3 1'] });
});

const settled: SettledMarker = { endOffset: 13n, records: 3n, byteSize: 123n };

test.each<[string, Partial<SettledMarker>, boolean]>([
  ['of this seal', {}, true],
  ['of another end', { endOffset: 14n }, false],
  ['of other records', { records: 2n }, false],
  ['of another size', { byteSize: 124n }, false],
])('a SETTLED marker %s', (_, changes, confirms) => {
  const copy = { storedBytes: 200n, fenced: true, settled: { ...settled, ...changes } };
  const { unsettled, confirmed } = probe([
    node(n1, { s0: copy }),
    node(n2, { s0: 123 }),
    node(n3, { s0: 123 }),
  ]);
  const found = ['events-r0-s0 malachi@n1 200'];
  expect({ unsettled, confirmed }).toEqual(
    confirms ? { unsettled: [], confirmed: found } : { unsettled: found, confirmed: [] },
  );
});

test('a marker does not vouch for a copy that is short', () => {
  const copy = { storedBytes: 122n, fenced: true, settled };
  const { short } = probe([node(n1, { s0: copy }), node(n2, { s0: 123 }), node(n3, { s0: 123 })]);
  expect(short).toEqual(['events-r0-s0 malachi@n1 122']);
});

test('an active segment has no size to hold a copy against', () => {
  const active = snapshotOf(topicJson('events', [activeJson(0)]));
  const nodes = [node(n1, { s0: 999 }), node(n2, {}), node(n3, {})];
  expect(probe(nodes, {}, active)).toEqual({
    ...nothing,
    skipped: ['events-r0-s0 null active'],
  });
});

test('a replica set below the replication factor is left to the repair', () => {
  const nodes = [node(n1, { s0: 999 }), node(n2, {}), node(n3, {})];
  expect(probe(nodes, { replicationFactor: 4, partial: true })).toEqual({
    ...nothing,
    skipped: ['events-r0-s0 null under_replicated'],
  });
  expect(probe(nodes, { replicationFactor: 3 }).unsettled).toHaveLength(1);
});

test('without a replica’s node the whole segment waits, unless partial', () => {
  const nodes = [node(n1, { s0: 124 }), node(n3, { s0: 1 })];
  const skipped = ['events-r0-s0 malachi@n2 replica_not_supplied'];
  expect(probe(nodes)).toEqual({ ...nothing, skipped });
  expect(probe(nodes, { partial: true })).toEqual({
    ...nothing,
    unsettled: ['events-r0-s0 malachi@n1 124'],
    short: ['events-r0-s0 malachi@n3 1'],
    skipped,
  });
});

test('a copy that could not be measured is no copy of 0 bytes', () => {
  const nodes = [node(n1, { s0: null }), node(n2, { s0: 124 }), node(n3, {}, false)];
  const skipped = ['events-r0-s0 malachi@n1 unreadable', 'events-r0-s0 malachi@n3 unreadable'];
  expect(probe(nodes)).toEqual({ ...nothing, skipped });
  expect(probe(nodes, { partial: true })).toEqual({
    ...nothing,
    unsettled: ['events-r0-s0 malachi@n2 124'],
    skipped,
  });
});

test('a copy latched as failed is left out, and its siblings are not', () => {
  const nodes = [node(n1, { s0: 124 }), node(n2, { s0: 125 }), node(n3, {})];
  expect(probe(nodes, { failed: new Set(['events-r0-s0/malachi@n1']) })).toEqual({
    ...nothing,
    unsettled: ['events-r0-s0 malachi@n2 125'],
    short: ['events-r0-s0 malachi@n3 0'],
    skipped: ['events-r0-s0 malachi@n1 failed'],
  });
});
