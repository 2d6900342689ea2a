import { Chalk } from 'chalk';
import { expect, test } from 'vitest';
import { displayWidth } from '../../src/report/display-width.js';
import { renderTable } from '../../src/report/table.js';

const style = { chalk: new Chalk({ level: 0 }), columns: 30 };
const columns = [{ head: 'COPY', flexible: true }, { head: 'BYTES' }] as const;

test('a column is shortened to what the terminal has left', () => {
  const rows = [
    ['a-topic-of-a-long-name-r0-s1/n1', '1'],
    ['b-topic-of-a-long-name-r0-s2/n1', '2'],
  ];
  const lines = renderTable(columns, rows, style).trimEnd().split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(30);
  expect(lines[1]).toMatch(/^a-t.*….*s1\/n1 +1$/);
});

test('names that would read the same are shown in full, equal ones may be shortened', () => {
  const rows = ['13', '23', '33'].map((seq) => [`events-r0-s${seq}/malachi@n1.example.org`, '1']);
  const text = renderTable(columns, rows, style);
  for (const [name = ''] of rows) expect(text).toContain(`${name}  1\n`);
  expect(text).not.toContain('…');
  const [row = []] = rows;
  expect(renderTable(columns, [row, row], style).match(/…/g)).toHaveLength(2);
});

test('a long table has the columns of a short one, in every part of it', () => {
  const names = ['分區-r0-s0', 'a-r0-s0', 'a-topic-r0-s1'];
  const rows = Array.from({ length: 1000 }, (_, n) => [names[n % 3] ?? '', String(n)]);
  const lines = renderTable(columns, rows, { ...style, columns: Infinity }).split('\n');
  const padded = (name: string): string => name + ' '.repeat(13 - displayWidth(name));
  expect(lines).toEqual([
    `${padded('COPY')}  BYTES`,
    ...rows.map(([name = '', bytes]) => `${padded(name)}  ${bytes}`),
    '',
  ]);
});

test('a table of very many rows takes no time that grows with their square', () => {
  // In one piece the layout would take minutes, and this test run out of time.
  const rows = Array.from({ length: 40_000 }, (_, n) => [`events-r0-s${n}`, String(n)]);
  const text = renderTable(columns, rows, { ...style, columns: Infinity });
  expect(text.endsWith('events-r0-s39999  39999\n')).toBe(true);
});
