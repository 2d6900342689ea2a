import { expect, test } from 'vitest';
import {
  compareCopyKeys,
  compareSegmentNames,
  parseCopyKey,
  renderCopyKey,
} from '../../src/control-plane/copy-key.js';
import { InvalidInputError } from '../../src/errors.js';
import { parseSegmentName } from '../../src/format/names.js';

const keysInOrder = [
  'Z-r0-s0/malachi@n1',
  'a-r0-s2/malachi@n1',
  'a-r0-s2/malachi@n10',
  'a-r0-s2/malachi@n2',
  'a-r0-s10/malachi@n1',
  'a-r2-s0/malachi@n1',
  'a-r10-s0/malachi@n1',
  'audit.log-r1-s2-r0-s0/n.example.org',
  'events-r0-s18446744073709551615/n1',
];

test('keys order topics and nodes by bytes, and numbers as numbers', () => {
  const keys = keysInOrder.map((text) => parseCopyKey(text, '--after'));
  expect(keys.toReversed().sort(compareCopyKeys).map(renderCopyKey)).toEqual(keysInOrder);
});

test('a topic may hold a suffix like a segment’s own', () => {
  expect(parseCopyKey('audit.log-r1-s2-r3-s10/a@b.c', '--after')).toEqual({
    segment: { topic: 'audit.log-r1-s2', range: 3n, segment: 10n },
    replica: 'a@b.c',
  });
});

test.each([
  '',
  '/',
  'events-r0-s3',
  'events-r0-s3/',
  '/malachi@n1',
  'events/malachi@n1',
  'events-r0-s3/a/b',
])('a cursor that is none is refused: %j', (text) => {
  const message = `--after: expected SEGMENT/NODE, such as events-r0-s3/malachi@n1, found ${JSON.stringify(text)}`;
  expect(() => parseCopyKey(text, '--after')).toThrow(new InvalidInputError(message));
});

test('foreign names come after every parsed id, by their bytes', () => {
  const inOrder = ['Z-r0-s0', 'z-r0-s2', 'z-r0-s10', 'g2gCaAJtAAAA', 'g2wAAAAB', 'büro-r0-s1'];
  const named = inOrder.map((name) => ({ name, id: parseSegmentName(name) }));
  expect(
    named
      .toReversed()
      .sort(compareSegmentNames)
      .map(({ name }) => name),
  ).toEqual(['Z-r0-s0', 'z-r0-s2', 'z-r0-s10', 'büro-r0-s1', 'g2gCaAJtAAAA', 'g2wAAAAB']);
});
