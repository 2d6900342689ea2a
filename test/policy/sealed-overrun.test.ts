import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareCopyKeys, renderCopyKey, type CopyKey } from '../../src/control-plane/copy-key.js';
import type { Snapshot } from '../../src/control-plane/snapshot.js';
import { InvalidInputError } from '../../src/errors.js';
import { plan } from '../../src/policy/sealed-overrun.js';
import { activeJson, NODES, sealedJson, snapshotOf, topicJson } from '../helpers/snapshots.js';

const snapshot = snapshotOf(
  topicJson('events', [
    sealedJson(2, { start_offset: 3, length: 3 }),
    sealedJson(10, { start_offset: 6, length: 0, byte_size: 0 }),
    activeJson(11, { start_offset: 6 }),
  ]),
  topicJson('Z', [sealedJson(0, { start_offset: 9007199254740993n, length: 2 })]),
);

function key(topic: string, segment: bigint, replica = 'malachi@n1'): CopyKey {
  return { segment: { topic, range: 0n, segment }, replica };
}

function render(actions: readonly CopyKey[]): string[] {
  return actions.map(renderCopyKey);
}

describe('one plan', () => {
  const everything = [
    key('events', 10n),
    key('events', 2n, 'malachi@n2'),
    key('events', 2n),
    key('Z', 0n),
    key('events', 2n),
  ];

  test('is sorted, without duplicates, and ends where the control plane says', () => {
    const actions = plan(snapshot, everything, 64);
    expect(render(actions)).toEqual([
      'Z-r0-s0/malachi@n1',
      'events-r0-s2/malachi@n1',
      'events-r0-s2/malachi@n2',
      'events-r0-s10/malachi@n1',
    ]);
    expect(actions[0]).toMatchObject({
      startOffset: 9007199254740993n,
      endOffset: 9007199254740995n,
    });
  });

  test('settles a segment of length 0 at its start', () => {
    const [action] = plan(snapshot, [key('events', 10n)], 1);
    expect(action).toMatchObject({ startOffset: 6n, endOffset: 6n });
  });

  test('skips what is not sealed or not listed, and gives its place to the next', () => {
    const unsettled = [key('events', 11n), key('A', 0n), ...everything];
    expect(render(plan(snapshot, unsettled, 2))).toEqual([
      'Z-r0-s0/malachi@n1',
      'events-r0-s2/malachi@n1',
    ]);
  });

  test.each<[CopyKey, string[]]>([
    [
      key('Z', 0n),
      ['events-r0-s2/malachi@n1', 'events-r0-s2/malachi@n2', 'events-r0-s10/malachi@n1'],
    ],
    [
      key('a-topic-that-is-gone', 7n),
      ['events-r0-s2/malachi@n1', 'events-r0-s2/malachi@n2', 'events-r0-s10/malachi@n1'],
    ],
    [
      key('events', 9n),
      ['events-r0-s10/malachi@n1', 'Z-r0-s0/malachi@n1', 'events-r0-s2/malachi@n1'],
    ],
    [key('zzz', 0n), ['Z-r0-s0/malachi@n1', 'events-r0-s2/malachi@n1', 'events-r0-s2/malachi@n2']],
  ])('starts past a key, there or not, and wraps around (case %#)', (after, expected) => {
    expect(render(plan(snapshot, everything, 3, after))).toEqual(expected);
  });

  test('takes no copy twice when it wraps', () => {
    expect(plan(snapshot, everything, 64, key('events', 2n))).toHaveLength(4);
  });

  test.each([0, -1, 1.5, NaN, Infinity])('refuses a batch of %s', (batchSize) => {
    expect(() => plan(snapshot, everything, batchSize)).toThrow(InvalidInputError);
  });
});

describe('over any metadata', () => {
  const segments = fc.uniqueArray(
    fc.record({ seq: fc.nat(30), length: fc.nat(5), active: fc.boolean() }),
    { selector: ({ seq }) => seq, maxLength: 12 },
  );
  const metadata = fc
    .uniqueArray(fc.record({ name: fc.constantFrom('a', 'Z', 'a.b-r1-s2', 'ab'), segments }), {
      selector: ({ name }) => name,
    })
    .map((topics) => snapshotOf(...topics.map(toTopic)));
  const copy = fc.record({
    segment: fc.record({
      topic: fc.constantFrom('a', 'Z', 'a.b-r1-s2', 'ab', 'gone'),
      range: fc.constantFrom(0n, 1n),
      segment: fc.bigInt({ min: 0n, max: 31n }),
    }),
    replica: fc.constantFrom('malachi@n1', 'malachi@n10', 'malachi@n2'),
  });
  const unsettled = fc.array(copy, { maxLength: 60 });
  const batch = fc.integer({ min: 1, max: 9 });

  test('the batch bounds, orders and justifies every action', () => {
    fc.assert(
      fc.property(metadata, unsettled, batch, (known, copies, batchSize) => {
        const actions = plan(known, copies, batchSize);
        expect(actions.length).toBe(Math.min(batchSize, dueKeys(known, copies).size));
        expect(actions).toEqual(actions.toSorted(compareCopyKeys));
        for (const { segment, startOffset, endOffset } of actions) {
          expect(segment.state).toBe('sealed');
          expect(endOffset - startOffset).toBe(segment.length);
        }
      }),
    );
  });

  test('the order and the repetition of the input do not matter', () => {
    const shuffled = unsettled.chain((copies) =>
      fc.tuple(
        fc.constant(copies),
        fc.shuffledSubarray([...copies, ...copies], { minLength: copies.length * 2 }),
      ),
    );
    fc.assert(
      fc.property(metadata, shuffled, batch, copy, (known, [copies, others], batchSize, after) => {
        expect(plan(known, others, batchSize, after)).toEqual(
          plan(known, copies, batchSize, after),
        );
      }),
    );
  });

  test('passes that feed the last key back visit every copy before any twice', () => {
    fc.assert(
      fc.property(metadata, unsettled, batch, copy, (known, copies, batchSize, first) => {
        const due = dueKeys(known, copies);
        const visited: string[] = [];
        let after: CopyKey = first;
        while (visited.length < due.size) {
          const actions = plan(known, copies, batchSize, after);
          expect(actions).not.toHaveLength(0);
          visited.push(...render(actions));
          after = actions.at(-1) ?? after;
        }
        expect(new Set(visited.slice(0, due.size))).toEqual(due);
      }),
    );
  });
});

interface GeneratedTopic {
  name: string;
  segments: { seq: number; length: number; active: boolean }[];
}

/** Gives each segment the offsets behind those of the one before; only the last may be active. */
function toTopic({ name, segments }: GeneratedTopic): Record<string, unknown> {
  let next = 0;
  return topicJson(
    name,
    segments.map(({ seq, length, active }, index) => {
      const start = next;
      next += length;
      if (active && index === segments.length - 1) return activeJson(seq, { start_offset: start });
      return sealedJson(seq, { start_offset: start, length, replica_set: NODES });
    }),
  );
}

/** The distinct copies of sealed segments. */
function dueKeys(known: Snapshot, copies: readonly CopyKey[]): Set<string> {
  const isSealed = (text: string) =>
    known.byName.get(text.slice(0, text.indexOf('/')))?.state === 'sealed';
  return new Set(render(copies).filter(isSealed));
}
