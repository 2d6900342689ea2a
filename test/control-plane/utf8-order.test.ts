import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareUtf8 } from '../../src/control-plane/utf8-order.js';

test('strings are ordered as their UTF-8 bytes are', () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(text, text, (a, b) => {
      const bytes = Buffer.compare(Buffer.from(a), Buffer.from(b));
      expect(Math.sign(compareUtf8(a, b))).toBe(bytes);
    }),
  );
});

test('a code point above U+FFFF comes after U+FFFD, though its UTF-16 units are smaller', () => {
  expect(compareUtf8('\u{1f600}', '\ufffd')).toBeGreaterThan(0);
  expect('\u{1f600}' < '\ufffd').toBe(true);
});
