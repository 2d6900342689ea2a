import { expect, test } from 'vitest';
import { parsePlan } from '../../src/control-plane/plan-document.js';
import { InvalidInputError } from '../../src/errors.js';
import { jsonText } from '../helpers/snapshots.js';

type Json = Record<string, unknown>;

const action: Json = {
  replica: 'malachi@n3',
  segment: 'events-r0-s1',
  start_offset: 9007199254740993n,
  end_offset: 9007199254740996n,
  recorded_bytes: 123,
  stored_bytes: 164,
  surplus_bytes: 41,
};

function plan(changes: Json = {}): string {
  return jsonText({
    schema: 'malachi.plan-overrun/1',
    batch_size: 64,
    after: null,
    actions: [action],
    next_after: 'events-r0-s1/malachi@n3',
    unsettled: 2,
    remaining: 1,
    short: [],
    ...changes,
  });
}

test('a saved plan is read back with every digit', () => {
  expect(parsePlan({ name: 'plan.json', text: plan() })).toEqual({
    batchSize: 64n,
    after: null,
    actions: [
      {
        replica: 'malachi@n3',
        segment: 'events-r0-s1',
        startOffset: 9007199254740993n,
        endOffset: 9007199254740996n,
        recordedBytes: 123n,
        storedBytes: 164n,
        surplusBytes: 41n,
      },
    ],
    nextAfter: 'events-r0-s1/malachi@n3',
    unsettled: 2n,
    remaining: 1n,
  });
});

test('an action that ends below its start is left for settling to refuse', () => {
  const text = plan({ actions: [{ ...action, start_offset: 9, end_offset: 8 }] });
  const [read] = parsePlan({ name: 'plan.json', text }).actions;
  expect(read).toMatchObject({ startOffset: 9n, endOffset: 8n });
});

const KEY = 'expected SEGMENT/NODE, such as events-r0-s3/malachi@n1, found';

test.each<[string, Json, string]>([
  [
    'another version',
    { schema: 'malachi.plan-overrun/2' },
    '/schema: expected "malachi.plan-overrun/1", found "malachi.plan-overrun/2"',
  ],
  [
    'another kind',
    { schema: 'malachi.settle/1' },
    '/schema: expected "malachi.plan-overrun/1", found "malachi.settle/1"',
  ],
  ['no batch', { batch_size: 0 }, '/batch_size: expected a whole number of 1 or more, found 0'],
  ['a bad cursor', { after: 'events' }, `/after: ${KEY} "events"`],
  ['a bad next cursor', { next_after: 'x/y' }, `/next_after: ${KEY} "x/y"`],
  ['no list', { actions: null }, '/actions: expected an array of actions, found null'],
  [
    'a copy twice',
    { actions: [action, action] },
    '/actions/1: expected each copy once, found events-r0-s1/malachi@n3 again',
  ],
  [
    'a foreign segment',
    { actions: [{ ...action, segment: '../etc' }] },
    '/actions/0/segment: expected a segment such as events-r0-s3, found "../etc"',
  ],
  [
    'a node with a slash',
    { actions: [{ ...action, replica: 'a/b' }] },
    '/actions/0/replica: expected a name without a slash, found "a/b"',
  ],
  [
    'no surplus',
    { actions: [{ ...action, stored_bytes: 123 }] },
    '/actions/0/stored_bytes: expected more than 123, found 123',
  ],
  [
    'a wrong surplus',
    { actions: [{ ...action, surplus_bytes: 40 }] },
    '/actions/0/surplus_bytes: expected 41, found 40',
  ],
  [
    'a fraction',
    { actions: [{ ...action, end_offset: 1.5 }] },
    '/actions/0/end_offset: expected a whole number of 0 or more, found 1.5',
  ],
])('a plan with %s is refused', (_, changes, message) => {
  expect(() => parsePlan({ name: 'plan.json', text: plan(changes) })).toThrow(
    new InvalidInputError(`plan.json: ${message}`),
  );
});
