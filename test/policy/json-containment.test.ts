import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '../../src/control-plane/json-node.js';
import { missingFrom } from '../../src/policy/json-containment.js';

const pointers = (expected: string, found: string): string[] =>
  missingFrom(parseJson('expected', expected).value, parseJson('found', found).value).map(
    ({ pointer }) => pointer,
  );

test.each([
  ['an object may have more keys', '{"a":1}', '{"b":2,"a":1}'],
  ['also deep inside arrays', '[{"a":{}}]', '[{"a":{"b":1}}]'],
  ['an integer is its digits', '9007199254740993', '9007199254740993'],
  ['null is a value', '{"a":null}', '{"a":null}'],
])('%s', (_, expected, found) => {
  expect(pointers(expected, found)).toEqual([]);
});

test.each([
  ['a value', '{"a":{"b":1}}', '{"a":{"b":2}}', ['/a/b']],
  ['a key that is not there', '{"a":null}', '{}', ['/a']],
  ['every place that differs', '{"a":1,"b":2,"c":3}', '{"a":0,"b":2}', ['/a', '/c']],
  ['an array with another length', '{"a":[1]}', '{"a":[1,2]}', ['/a']],
  ['an element', '[1,2,3]', '[1,0,3]', ['/1']],
  ['the order of elements', '[1,2]', '[2,1]', ['/0', '/1']],
  ['a type', '{"a":1}', '{"a":"1"}', ['/a']],
  ['an object for an array', '{"a":{}}', '{"a":[]}', ['/a']],
  ['a neighbour past 2^53', '9007199254740993', '9007199254740992', ['']],
  ['keys with slashes and tildes', '{"a/b":{"c~d":1}}', '{"a/b":{}}', ['/a~1b/c~0d']],
])('finds %s', (_, expected, found, where) => {
  expect(pointers(expected, found)).toEqual(where);
});

test('a document contains itself, and still does with more keys and another neighbour', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (value, other) => {
      const text = JSON.stringify(value);
      expect(pointers(text, text)).toEqual([]);
      const larger = `{"more":${JSON.stringify(other)},"held":[${text},1]}`;
      expect(pointers(`{"held":[${text},1]}`, larger)).toEqual([]);
      expect(pointers(`{"held":[${text},2]}`, larger)).toEqual(['/held/1']);
    }),
  );
});
