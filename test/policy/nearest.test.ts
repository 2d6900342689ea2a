import { expect, test } from 'vitest';
import { nearest } from '../../src/policy/nearest.js';

const words = ['inspect', 'compare', 'check', 'settle', 'rot'];

test.each([
  ['inspekt', 'inspect'],
  ['inspct', 'inspect'],
  ['isnpect', 'inspect'],
  ['CHECK', 'check'],
  ['chekc', 'check'],
  ['rott', 'rot'],
  ['setle', 'settle'],
])('%s was meant to be %s', (word, meant) => {
  expect(nearest(word, words)).toBe(meant);
});

test.each(['xylophone', '', 'co', 'dump'])('nothing is near %j', (word) => {
  expect(nearest(word, words)).toBeNull();
});

test('of several that are as near, the first', () => {
  expect(nearest('cat', ['bat', 'hat'])).toBe('bat');
});
