import { expect, test } from 'vitest';
import { progressText } from '../../src/report/progress-text.js';

const MIB = 1024 * 1024;
const some = { done: 25 * MIB, total: 100 * MIB, unit: 'bytes', elapsedMs: 1000 } as const;

/** A bar of 24 places, so many of them filled. */
const bar = (filled: number): string => `[${'#'.repeat(filled)}${'.'.repeat(24 - filled)}]`;

test.each([
  [80, '[######..................] 25%  25.0 MiB of 100.0 MiB  25.0 MiB/s  3 s left'],
  [76, '[######..................] 25%  25.0 MiB of 100.0 MiB  25.0 MiB/s  3 s left'],
  [75, '25%  25.0 MiB of 100.0 MiB  25.0 MiB/s  3 s left'],
  [40, '25%  3 s left'],
  [10, '25%'],
  [3, '25'],
])('in %i columns', (width, text) => {
  expect(progressText(some, width)).toBe(text);
});

test.each([
  ['nothing done yet', { ...some, done: 0 }, `${bar(0)} 0%  0 B of 100.0 MiB  0 B/s`],
  ['all done', { ...some, done: 100 * MIB }, '100%  100.0 MiB of 100.0 MiB  100.0 MiB/s  0 s left'],
  [
    'more than all',
    { ...some, done: 200 * MIB },
    '100%  100.0 MiB of 100.0 MiB  200.0 MiB/s  0 s left',
  ],
  ['nothing to do', { ...some, done: 0, total: 0 }, `${bar(24)} 100%  0 B of 0 B  0 B/s`],
  ['no total', { ...some, total: null }, '25.0 MiB  25.0 MiB/s'],
  [
    'copies',
    { done: 2000, total: 4000, unit: 'copies', elapsedMs: 500 },
    `${bar(12)} 50%  2,000 of 4,000 copies  4,000/s  1 s left`,
  ],
  [
    'a listing',
    { done: 2000, total: null, unit: 'copies', elapsedMs: 1000 },
    '2,000 copies  2,000/s',
  ],
  ['no time yet', { ...some, elapsedMs: 0 }, `${bar(6)} 25%  25.0 MiB of 100.0 MiB  0 B/s`],
] as const)('%s', (_, state, text) => {
  expect(progressText(state, 74)).toBe(text);
});
