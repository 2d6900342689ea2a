import { Chalk } from 'chalk';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { inspect } from '../../src/operations/inspect.js';
import { renderInspection } from '../../src/report/inspect.js';
import { goldenRoot } from '../helpers/golden.js';
import { tempDirectory } from '../helpers/temp.js';

const style = { chalk: new Chalk({ level: 0 }), columns: 80 };

async function shown(paths: readonly string[], options = {}, columns = 80): Promise<string> {
  const answer = await inspect(nodeDisk, paths, { preallocBytes: 0, ...options });
  return renderInspection(answer, { ...style, columns });
}

/** Log roots n1, n2… each with these golden cases. */
function rootsOf(...cases: string[][]): string[] {
  const parent = tempDirectory();
  return cases.map((names, at) => {
    const root = join(parent, `n${at + 1}`);
    for (const name of names) {
      cpSync(join(goldenRoot, name), join(root, name), { recursive: true });
    }
    return root;
  });
}

const REPAIR = /Repair: malachi compare shows which copies are good\./g;

describe('every finding has a next step', () => {
  test('records behind the damage: a good copy, or a salvage to a file of the same name', async () => {
    const [root = ''] = rootsOf(['rot-middle-frame']);
    const path = join(root, 'rot-middle-frame', '00000000000000000000.log');
    const text = await shown([root]);
    expect(text).toContain(
      `  Next: malachi salvage ${path} --out rescued/00000000000000000000.log\n`,
    );
    expect(text.match(REPAIR)).toHaveLength(1);
  });

  test.each([
    ['rot with nothing behind it', 'garbage-10-bytes'],
    ['torn and sealed', 'torn-sealed'],
    ['out of sequence', 'offsets-jump'],
  ])('%s: a good copy', async (_, name) => {
    const text = await shown(rootsOf([name]));
    expect(text).toContain('\n  Repair: from a good copy, as told below.\n');
    expect(text.match(REPAIR)).toHaveLength(1);
    expect(text).not.toContain('--out');
  });

  test('what a node puts right by itself needs none, and what is told once is told once', async () => {
    expect(await shown(rootsOf(['torn-payload', 'five-records']))).not.toContain('Repair');
    const many = await shown(rootsOf(['rot-magic', 'torn-sealed', 'rot-middle-frame']));
    expect(many.match(REPAIR)).toHaveLength(1);
  });
});

test('findings that leave a file clean stand in its row, and are among the clean ones', async () => {
  const roots = rootsOf(['index-entry-past-end', 'offsets-jump', 'five-records']);
  const text = await shown(roots, {}, 100);
  expect(text).toMatch(/^SEGMENT +BASE OFFSET +STATE +NOTE /m);
  expect(text).toMatch(/^index-entry-past-end +0 +clean +sealed, bad index +5 /m);
  expect(text).toMatch(/^offsets-jump +0 +clean +out of sequence +6 /m);
  expect(text.replace(/\s+/g, ' ')).toContain(
    '3 files, 16 records: 3 clean; among them 1 with a bad index and 1 out of sequence.',
  );
});

test('prose is 80 columns wide off a terminal too; commands and rows are never wrapped', async () => {
  const text = await shown([goldenRoot], { hex: true }, Infinity);
  const long = text.split('\n').filter((line) => line.length > 80);
  expect(
    long.filter((line) => !/^ {2}Next: malachi |^\S+ {2,}\d+ |^SEGMENT|\.log$/.test(line)),
  ).toEqual([]);
  expect(text).not.toMatch(/malachi salvage \S+$/m);
});

describe('the map', () => {
  const MAP_NAME = /^\[.*\] +(.*)$/gm;
  const mapNames = (text: string): string[] =>
    [...text.matchAll(MAP_NAME)].map(([, name = '']) => name);

  test('names the root of each file where there are several', async () => {
    const roots = rootsOf(['five-records'], ['five-records', 'base-offset-100']);
    expect(mapNames(await shown(roots, { map: true }))).toEqual([
      'n1/five-records @0',
      'n2/base-offset-100 @100',
      'n2/five-records @0',
    ]);
    expect(mapNames(await shown(roots.slice(0, 1), { map: true }))).toEqual(['five-records @0']);
  });

  test('does not shorten names until they are the same', async () => {
    const names = ['rot-last-frame-nul-value-growing', 'rot-last-frame-nul-value-prealloc'];
    const text = await shown(rootsOf(names), { map: true }, 60);
    expect(new Set(mapNames(text)).size).toBe(2);
  });
});

test('the bytes stand apart, and the first damaged one is marked without colour', async () => {
  const text = await shown(rootsOf(['rot-middle-frame']), { hex: true });
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.startsWith('>'));
  const caret = lines[at + 1] ?? '';
  expect(caret.trim()).toBe('^^');
  // Byte 82 is the third of its line, where a record is to start: 4d 51.
  expect(lines[at]?.slice(caret.indexOf('^'), caret.indexOf('^') + 5)).toBe('4d 51');
  expect(lines[at - 3]).toBe('');
  expect(Math.max(...lines.slice(at - 2, at + 8).map((line) => line.length))).toBeLessThanOrEqual(
    80,
  );
});
