import { expect, test } from 'vitest';
import { wrap } from '../../src/report/words.js';

test('text is broken at blanks; a word that is too long stays whole', () => {
  expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
  expect(wrap('a /a/very/long/path b', 6)).toEqual(['a', '/a/very/long/path', 'b']);
  expect(wrap('', 6)).toEqual(['']);
});

test('colours take no columns', () => {
  const red = (word: string): string => `\u001b[31m${word}\u001b[39m`;
  expect(wrap(`${red('one')} ${red('two')} three`, 7)).toEqual([
    `${red('one')} ${red('two')}`,
    'three',
  ]);
});
