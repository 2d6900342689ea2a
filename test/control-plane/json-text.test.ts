import fc from 'fast-check';
import { LosslessNumber } from 'lossless-json';
import { expect, test } from 'vitest';
import { parseJsonText } from '../../src/control-plane/json-text.js';
import { InvalidInputError } from '../../src/errors.js';

test('integers of 64 bits are exact, wherever they stand', () => {
  const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
  const space = fc.constantFrom('', ' ', '\n\t');
  fc.assert(
    fc.property(fc.array(u64, { minLength: 1 }), space, (values, gap) => {
      const text = `{"a":${gap}[${values.map((value) => gap + String(value)).join(',')}]}`;
      const { a } = parseJsonText('x.json', text) as { a: (number | bigint)[] };
      expect(a.map(BigInt)).toEqual(values);
    }),
  );
});

test.each(['1.0', '1e3', '1E3', '-0', '123456789012345678901', '-1.5e-7'])(
  'a number that is no plain integer keeps its spelling: %s',
  (digits) => {
    expect(parseJsonText('x.json', `[ ${digits} ]`)).toEqual([new LosslessNumber(digits)]);
  },
);

test('of a repeated key the last counts, with either parser', () => {
  expect(parseJsonText('x.json', '{"a":1,"a":2}')).toEqual({ a: 2 });
  expect(parseJsonText('x.json', '{"a":1,"a":9007199254740993}')).toEqual({
    a: 9007199254740993n,
  });
});

test.each([
  ['', 'x.json: expected JSON: JSON value expected but reached end of input at position 0'],
  [
    '{"a":1',
    "x.json: expected JSON: Quoted object key or end of object '}' expected but reached end of input at position 6",
  ],
  ['[1\n\n"', "x.json: expected JSON: Comma ',' expected after value but got '\"' at position 4"],
  ['["\u0001"]', "x.json: expected JSON: Invalid character '\\u0001' at position 2"],
])('text that is no JSON gets one line with the position: %j', (text, message) => {
  expect(() => parseJsonText('x.json', text)).toThrow(new InvalidInputError(message));
});

test('values nested beyond the stack are refused in one line', () => {
  const text = '[9007199254740993,' + '['.repeat(1_000_000);
  expect(() => parseJsonText('x.json', text)).toThrow(
    new InvalidInputError('x.json: expected JSON, found values nested too deeply'),
  );
});
