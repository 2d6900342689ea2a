import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  explainedWords,
  explanations,
  findExplanation,
} from '../../src/report/explanations/index.js';
import { malachi } from '../helpers/cli.js';
import { schemaFaults } from '../helpers/schema.js';

const terms = explanations.flatMap((group) => group.terms);
const root = fileURLToPath(new URL('../../', import.meta.url));

test('0: every term is listed, and every one is explained, within 80 columns', () => {
  const listed = malachi(['explain']);
  expect(listed.status).toBe(0);
  for (const { term } of terms) {
    expect(listed.stdout).toContain(`  ${term} `);
  }
  for (const { term, what, node, next } of terms.filter((_, at) => at % 9 === 0)) {
    const { status, stdout } = malachi(['explain', term]);
    expect(status).toBe(0);
    const words = stdout.replace(/\s+/g, ' ');
    for (const text of [what, node ?? '', next ?? '']) expect(words).toContain(text);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  }
  expect(Math.max(...listed.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
});

test('0: a term of several words, in any case, or by another word for it', () => {
  for (const args of [['orphaned', 'fence'], ['ORPHANED_FENCES'], ['orphan']]) {
    expect(malachi(['explain', ...args]).stdout).toMatch(/^orphaned fence: /);
  }
});

test('2: an unknown term, with the nearest one if there is one', () => {
  const near = malachi(['explain', 'quarantin']);
  expect(near).toMatchObject({ status: 2, stdout: '' });
  expect(near.stderr).toBe("malachi: unknown term 'quarantin' (did you mean quarantine?)\n");
  const far = malachi(['explain', 'xylophone']);
  expect(far.status).toBe(2);
  expect(far.stderr).toBe("malachi: unknown term 'xylophone' (malachi explain lists the terms)\n");
});

test('the answer for a program', () => {
  const all = malachi(['explain', '--json']);
  expect(schemaFaults(all.stdout)).toEqual([]);
  expect(JSON.parse(all.stdout)).toMatchObject({ terms: terms.map(({ term }) => ({ term })) });
  const one = malachi(['explain', 'torn', '--json']);
  expect(JSON.parse(one.stdout)).toMatchObject({ terms: [{ term: 'torn' }] });
});

describe('nothing that the toolkit prints is left unexplained', () => {
  test('every word leads to one term', () => {
    const words = explainedWords();
    expect(new Set(words.map((word) => word.toLowerCase())).size).toBe(words.length - sharedCase);
    for (const word of words) expect(findExplanation(word)).not.toBeNull();
  });

  /** `SEALED` is a marker of a fence and `sealed` a state: each leads to where it belongs. */
  const sharedCase = 1;

  test.each([
    ...['met', 'off', 'not at the seal', 'control mismatch', 'backfill', 'short copy', 'seal_at'],
    ...['latched', 'held', 'salvage', 'rescued file'],
  ])('the words of the reports: %s', (word) => {
    expect(findExplanation(word)).not.toBeNull();
  });

  test('what to do with a rescued file is told where salvage is', () => {
    expect(findExplanation('salvage')?.next).toMatch(/missing, do not put it into a log root/);
    for (const word of ['rot', 'torn'])
      expect(findExplanation(word)?.next).toContain('see salvage');
  });

  test('the states, verdicts, outcomes and reasons of the JSON schemas', () => {
    const keys = ['halt', 'classification', 'action', 'verdict', 'outcome', 'reason', 'status'];
    const words = new Set<string>();
    const collect = (value: unknown, key: string): void => {
      if (typeof value !== 'object' || value === null) return;
      if ('enum' in value && Array.isArray(value.enum) && keys.includes(key)) {
        for (const word of value.enum) if (typeof word === 'string') words.add(word);
      }
      for (const [name, held] of Object.entries(value)) collect(held, name);
    };
    for (const name of readdirSync(join(root, 'schemas'))) {
      collect(JSON.parse(readFileSync(join(root, 'schemas', name), 'utf8')), '');
    }
    const plain = ['ok', 'none', 'absent', 'bad', 'unchecked', 'passed', 'invalid'];
    expect(words).toContain('discard_tail');
    expect([...words].filter((word) => !plain.includes(word) && !findExplanation(word))).toEqual(
      [],
    );
  });

  test('the error codes of the source', () => {
    const source = join(root, 'src');
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
    const codes = new Set<string>();
    for (const file of files.filter((name) => name.endsWith('.ts'))) {
      const text = readFileSync(join(source, file), 'utf8');
      for (const [, code = ''] of text.matchAll(/'(E[A-Z]{3,})'/g)) codes.add(code);
    }
    // These never reach an answer (a reader that has gone, processes that have ended), or are a heading.
    const inner = ['EPIPE', 'ESRCH', 'EINVAL', 'ENTRIES'];
    expect(codes).toContain('EBADNAME');
    expect([...codes].filter((code) => !inner.includes(code) && !findExplanation(code))).toEqual(
      [],
    );
  });
});
