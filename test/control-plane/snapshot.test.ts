import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSnapshot } from '../../src/control-plane/snapshot.js';
import { InvalidInputError } from '../../src/errors.js';
import { metadataPath } from '../helpers/cluster.js';
import { activeJson, jsonText, sealedJson, snapshotOf, topicJson } from '../helpers/snapshots.js';

function names(...texts: string[]): string[] {
  const sources = texts.map((text, index) => ({ name: `${index}.json`, text }));
  return readSnapshot(sources).segments.map(({ name }) => name);
}

const events = topicJson('events', [sealedJson(0), activeJson(1, { start_offset: 3 })]);
const audit = topicJson('audit', [sealedJson(0)]);

test('an answer, an array of answers and an object of topics say the same', () => {
  expect(names(jsonText(events))).toEqual(['events-r0-s0', 'events-r0-s1']);
  const both = ['audit-r0-s0', 'events-r0-s0', 'events-r0-s1'];
  expect(names(jsonText([events, audit]))).toEqual(both);
  expect(names(jsonText({ topics: [events, audit] }))).toEqual(both);
  expect(names(jsonText(events), jsonText(audit))).toEqual(both);
  expect(names(jsonText([]))).toEqual([]);
});

test('every field is kept, integers exact, and unknown keys are ignored', () => {
  const text = `{"name":"__proto__","future":{"x":1.5},"ranges":[{"seq":18446744073709551615,"segments":[
    {"seq":10,"state":"sealed","start_offset":9007199254740993,"length":2,"byte_size":18446744073709551615,
     "primary":"a@h.org","replica_set":["a@h.org","b"],"new":null}]}]}`;
  const { segments, byName, nodes } = readSnapshot([{ name: 'm', text }]);
  expect(segments).toEqual([
    {
      topic: '__proto__',
      range: 18446744073709551615n,
      segment: 10n,
      name: '__proto__-r18446744073709551615-s10',
      state: 'sealed',
      startOffset: 9007199254740993n,
      length: 2n,
      byteSize: 18446744073709551615n,
      primary: 'a@h.org',
      replicaSet: ['a@h.org', 'b'],
    },
  ]);
  expect(byName.get('__proto__-r18446744073709551615-s10')).toBe(segments[0]);
  expect([...nodes]).toEqual(['a@h.org', 'b']);
});

test('segments come in the order of their ids: topics by bytes, numbers as numbers', () => {
  const gap = (seq: number) => sealedJson(seq, { start_offset: seq * 10 });
  expect(names(jsonText([topicJson('a', [gap(10), gap(2)]), topicJson('Z', [gap(0)])]))).toEqual([
    'Z-r0-s0',
    'a-r0-s2',
    'a-r0-s10',
  ]);
});

test('the golden cluster’s snapshot is read whole', () => {
  const text = readFileSync(metadataPath, 'utf8');
  const { segments, foreign, nodes } = readSnapshot([{ name: 'metadata.json', text }]);
  expect(segments.filter(({ state }) => state === 'active')).toHaveLength(5);
  expect(segments).toHaveLength(41);
  expect(foreign).toEqual([]);
  expect([...nodes].sort()).toEqual(['malachi@n1', 'malachi@n2', 'malachi@n3']);
});

test('a segment whose directory cannot be named is kept apart', () => {
  const snapshot = snapshotOf(
    topicJson('büro', [sealedJson(4)]),
    topicJson('..', [sealedJson(5)]),
    topicJson('events', [sealedJson(null), sealedJson(6)]),
    topicJson('logs', [sealedJson(7)], { seq: null }),
  );
  expect(snapshot.segments.map(({ name }) => name)).toEqual(['events-r0-s6']);
  expect(snapshot.foreign.map(({ label }) => label)).toEqual([
    'büro-r0-s4',
    '..-r0-s5',
    'events-r0-s?',
    'logs-r?-s7',
  ]);
});

test('identical answers count once; differing ones are refused with both places', () => {
  expect(names(jsonText(audit), jsonText([events, audit]))).toHaveLength(3);
  const other = topicJson('audit', [sealedJson(0, { length: 4 })]);
  expect(() => names(jsonText(audit), jsonText([events, other]))).toThrow(
    new InvalidInputError(
      '1.json: /1/ranges/0/segments/0: expected one answer for audit-r0-s0, found another than at 0.json: /ranges/0/segments/0',
    ),
  );
});

test.each([
  { start_offset: 1 },
  { byte_size: 124 },
  { replica_set: ['malachi@n1', 'malachi@n3', 'malachi@n2'] },
  { state: 'active', length: null, byte_size: null },
])('answers that differ in %j are refused', (changes) => {
  const other = topicJson('audit', [sealedJson(0, changes)]);
  expect(() => names(jsonText(audit), jsonText(other))).toThrow(/expected one answer/);
});

test('offset ranges may touch, and an empty segment lies anywhere', () => {
  const segments = [
    sealedJson(0, { start_offset: 0, length: 5 }),
    sealedJson(1, { start_offset: 5, length: 0, byte_size: 0 }),
    sealedJson(2, { start_offset: 3, length: 0, byte_size: 0 }),
    sealedJson(3, { start_offset: 5, length: 5 }),
    activeJson(4, { start_offset: 10 }),
    sealedJson(5, { start_offset: 12, length: 0, byte_size: 0 }),
  ];
  expect(snapshotOf(topicJson('events', segments)).segments).toHaveLength(6);
});
