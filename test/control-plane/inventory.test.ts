import { expect, test } from 'vitest';
import { readInventory } from '../../src/control-plane/inventory.js';
import { InvalidInputError } from '../../src/errors.js';
import { jsonText } from '../helpers/snapshots.js';

type Json = Record<string, unknown>;

const copy: Json = {
  segment: 'events-r0-s1',
  shard: 1,
  stored_bytes: 164,
  fenced: true,
  settled: { end_offset: 9007199254740993n, records: 3, byte_size: 123 },
};

function inventory(changes: Json = {}, copies: unknown[] = [copy]): string {
  const problem = { path: '/d/x', code: 'EACCES', message: 'permission denied' };
  const node = { node: 'malachi@n1', root: '/d', complete: true, copies, errors: [problem] };
  return jsonText({
    schema: 'malachi.inventory/1',
    taken_at: 1_700_000_000_000,
    nodes: [{ ...node, ...changes }],
  });
}

test('a host’s copies are read, with every digit of their numbers', () => {
  const unmeasured = { ...copy, segment: 'a', stored_bytes: null, fenced: null, settled: null };
  const text = inventory({ complete: false }, [copy, unmeasured]);
  expect(readInventory({ name: 'n1.json', text })).toEqual({
    takenAt: 1_700_000_000_000n,
    nodes: [
      {
        node: 'malachi@n1',
        complete: false,
        copies: new Map([
          [
            'events-r0-s1',
            {
              storedBytes: 164n,
              fenced: true,
              settled: { endOffset: 9007199254740993n, records: 3n, byteSize: 123n },
            },
          ],
          ['a', null],
        ]),
      },
    ],
    problems: [{ path: '/d/x', code: 'EACCES', message: 'permission denied' }],
  });
});

const COPY = '/nodes/0/copies/0';

test.each<[string, string]>([
  [
    '{"schema":"malachi.inventory/2"}',
    '/schema: expected "malachi.inventory/1", found "malachi.inventory/2"',
  ],
  ['{}', '/schema: expected "malachi.inventory/1", found nothing'],
  ['[]', 'expected an inventory, an object, found an empty array'],
  [
    inventory({ node: 'a/b' }),
    '/nodes/0/node: expected the name of a node, without a slash, found "a/b"',
  ],
  [inventory({ complete: 1 }), '/nodes/0/complete: expected true or false, found 1'],
  [
    inventory({}, [copy, copy]),
    '/nodes/0/copies/1: expected each copy once, found "events-r0-s1" again',
  ],
  [
    inventory({}, [{ ...copy, segment: '' }]),
    `${COPY}/segment: expected a directory's name, found ""`,
  ],
  [
    inventory({}, [{ ...copy, stored_bytes: -1 }]),
    `${COPY}/stored_bytes: expected a whole number of 0 or more, or null, found -1`,
  ],
  [
    inventory({}, [{ ...copy, fenced: null }]),
    `${COPY}/fenced: expected true or false, found null`,
  ],
  [
    inventory({}, [{ ...copy, settled: true }]),
    `${COPY}/settled: expected what a SETTLED marker says (an object), or null, found true`,
  ],
  [
    inventory({}, [{ ...copy, settled: { end_offset: 1, records: 2 } }]),
    `${COPY}/settled/byte_size: expected a whole number of 0 or more, found nothing`,
  ],
  [
    inventory({ errors: [{ path: 'x', code: 'EIO' }] }),
    '/nodes/0/errors/0/message: expected a message, found nothing',
  ],
])('an inventory that cannot be (case %#)', (text, message) => {
  expect(() => readInventory({ name: 'n1.json', text })).toThrow(
    new InvalidInputError(`n1.json: ${message}`),
  );
});

test('a node twice in one inventory is refused', () => {
  const node = { node: 'n1', complete: true, copies: [], errors: [] };
  const text = jsonText({ schema: 'malachi.inventory/1', taken_at: 0, nodes: [node, node] });
  expect(() => readInventory({ name: 'n1.json', text })).toThrow(
    new InvalidInputError('n1.json: /nodes/1/node: expected each node once, found "n1" again'),
  );
});
