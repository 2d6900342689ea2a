import { expect, test } from 'vitest';
import { readSnapshot } from '../../src/control-plane/snapshot.js';
import { InvalidInputError } from '../../src/errors.js';
import { activeJson, jsonText, sealedJson, topicJson } from '../helpers/snapshots.js';

const SEGMENT = '/topics/0/ranges/0/segments/0';
const NO_NODE = 'expected the name of a node, without a slash, found';
const OLD = 'none: an answer of a release too old for this; upgrade the node and ask it again';

/** Without some keys. */
function without(value: Record<string, unknown>, ...keys: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

function refuse(text: string, message: string): void {
  expect(() => readSnapshot([{ name: 'metadata.json', text }])).toThrow(
    new InvalidInputError(`metadata.json: ${message}`),
  );
}

const sealedNumber = 'expected a whole number of 0 or more for a sealed segment, found';

const badSegments: [Record<string, unknown>, string][] = [
  [sealedJson(0, { length: null }), `/length: ${sealedNumber} null`],
  [without(sealedJson(0), 'length'), `/length: ${sealedNumber} nothing`],
  [sealedJson(0, { length: '3' }), `/length: ${sealedNumber} "3"`],
  [sealedJson(0, { length: -1 }), `/length: ${sealedNumber} -1`],
  [sealedJson(0, { byte_size: null }), `/byte_size: ${sealedNumber} null`],
  [sealedJson(0, { byte_size: 1.5 }), `/byte_size: ${sealedNumber} 1.5`],
  [
    sealedJson(0, { start_offset: true }),
    '/start_offset: expected a whole number of 0 or more, found true',
  ],
  [
    sealedJson(0, { start_offset: 2n ** 64n }),
    '/start_offset: expected a number of at most 18446744073709551615, found 18446744073709551616',
  ],
  [
    sealedJson(0, { start_offset: 2n ** 64n - 1n }),
    '/length: expected start_offset + length of at most 18446744073709551615, found 3',
  ],
  [activeJson(0, { length: 3 }), '/length: expected null for an active segment, found 3'],
  [activeJson(0, { byte_size: 0 }), '/byte_size: expected null for an active segment, found 0'],
  [sealedJson(0, { state: 'sealing' }), '/state: expected "sealed" or "active", found "sealing"'],
  [
    sealedJson(0, { replica_set: [] }),
    '/replica_set: expected at least one replica, found an empty array',
  ],
  [
    sealedJson(0, { replica_set: 'n1' }),
    '/replica_set: expected an array of node names, found "n1"',
  ],
  [
    sealedJson(0, { replica_set: ['a', 'a'] }),
    '/replica_set/1: expected each replica once, found "a" again',
  ],
  [sealedJson(0, { replica_set: ['a/b'] }), `/replica_set/0: ${NO_NODE} "a/b"`],
  [sealedJson(0, { replica_set: ['a', ''] }), `/replica_set/1: ${NO_NODE} ""`],
  [
    sealedJson(0, { primary: 'malachi@n2' }),
    '/primary: expected "malachi@n1", the first of the replica set, found "malachi@n2"',
  ],
  [sealedJson(0, { seq: -1 }), '/seq: expected a whole number or null, found -1'],
  [without(sealedJson(0), 'seq'), `: expected a "seq", found ${OLD}`],
  [without(sealedJson(0), 'replica_set'), `: expected a "replica_set", found ${OLD}`],
];

test.each(badSegments.map(([segment, message]) => ({ segment, message })))(
  'a segment that cannot be: $message',
  ({ segment, message }) => {
    refuse(jsonText({ topics: [topicJson('events', [segment])] }), `${SEGMENT}${message}`);
  },
);

test('a number written with an exponent is refused as it is written', () => {
  const text = jsonText(topicJson('events', [sealedJson(0)])).replace('"length":3', '"length":1e3');
  refuse(text, `/ranges/0/segments/0/length: ${sealedNumber} 1e3`);
});

test.each<[unknown, string]>([
  [
    null,
    'expected a /topic answer (an object with "name" and "ranges"), an array of them, or {"topics": […]}, found null',
  ],
  [
    { error: 'not_found' },
    'expected a /topic answer (an object with "name" and "ranges"), an array of them, or {"topics": […]}, found an object',
  ],
  [{ topics: {} }, '/topics: expected an array of /topic answers, found an object'],
  [[7], '/0: expected a /topic answer, an object with "name" and "ranges", found 7'],
  [{ name: '', ranges: [] }, `/name: expected the topic's name, found ""`],
  [{ name: 'a', ranges: null }, '/ranges: expected an array of ranges, found null'],
  [{ name: 'a', ranges: [1] }, '/ranges/0: expected a range, an object, found 1'],
  [{ name: 'a', ranges: [{ segments: [] }] }, `/ranges/0: expected a "seq", found ${OLD}`],
  [
    { name: 'a', ranges: [{ seq: 0 }] },
    '/ranges/0/segments: expected an array of segments, found nothing',
  ],
  [
    { name: 'a', ranges: [{ seq: 0, segments: [null] }] },
    '/ranges/0/segments/0: expected a segment, an object, found null',
  ],
])('a document of another shape: %j', (value, message) => {
  refuse(jsonText(value), message);
});

test('a segment twice in one answer is refused, even if it says the same', () => {
  const text = jsonText(topicJson('events', [sealedJson(0), sealedJson(0)]));
  refuse(text, '/ranges/0/segments/1: expected each segment once, found "events-r0-s0" again');
});

test.each<[string, Record<string, unknown>[], string]>([
  [
    'two sealed',
    [sealedJson(0), sealedJson(1, { start_offset: 2 })],
    '/1/start_offset: expected an offset of at least 3, where events-r0-s0 ends, found 2',
  ],
  [
    'listed the other way',
    [sealedJson(1, { start_offset: 2 }), sealedJson(0)],
    '/0/start_offset: expected an offset of at least 3, where events-r0-s0 ends, found 2',
  ],
  [
    'active below sealed',
    [activeJson(0), sealedJson(1, { start_offset: 9 })],
    '/1/start_offset: expected an offset below 0, from where events-r0-s0 is active, found 9',
  ],
  [
    'active inside sealed',
    [sealedJson(0), activeJson(1, { start_offset: 1 })],
    '/1/start_offset: expected an offset of at least 3, where events-r0-s0 ends, found 1',
  ],
])('offset ranges that overlap are refused: %s', (_, segments, message) => {
  refuse(jsonText(topicJson('events', segments)), `/ranges/0/segments${message}`);
});
