import type { ReindexedFile } from '../operations/reindex-file.js';
import type { ReindexAnswer } from '../operations/reindex.js';
import type { RunView } from './command-line.js';
import { commandLine } from './command-line.js';
import { renderRootTables } from './root-tables.js';
import { proseColumns, type Style } from './style.js';
import type { Cell, Column } from './table.js';
import { count, number, sentenceList, wrap } from './words.js';

const COLUMNS: readonly Column[] = [
  { head: 'SEGMENT', flexible: true },
  { head: 'BASE OFFSET', align: 'right' },
  { head: 'INDEX' },
  { head: 'ENTRIES', align: 'right' },
  { head: 'REBUILT', align: 'right' },
];

/**
 * The answer for a person: how each sidecar stands, and how to go on.
 *
 * @param words the command line of this run, to make the next one of.
 */
export function renderReindex(
  answer: ReindexAnswer,
  words: readonly string[],
  style: Style,
  view: RunView = {},
): string {
  const tables = renderRootTables(answer.files, COLUMNS, (file) => rowOf(file, style), style);
  return tables + closing(answer, words, style, view);
}

function rowOf(file: ReindexedFile, style: Style): (Cell | string)[] {
  const { green, yellow, red } = style.chalk;
  const paint = { ok: green, other: green, partial: yellow, missing: yellow, bad: red };
  const { segment, baseOffset, state, entries, rebuiltEntries, rebuilt } = file;
  return [
    segment,
    baseOffset.toString(),
    { text: state, paint: state === 'damaged' ? red : paint[state] },
    entries === null ? '' : number(entries),
    rebuilt && rebuiltEntries !== null ? number(rebuiltEntries) : '',
  ];
}

const STATES = ['ok', 'other', 'partial', 'bad', 'missing', 'damaged'] as const;

function closing(
  { applied, summary, errors }: ReindexAnswer,
  words: readonly string[],
  style: Style,
  { asks = false }: RunView,
): string {
  const parts = STATES.filter((state) => summary[state] > 0).map(
    (state) => `${number(summary[state])} ${state}`,
  );
  const outcome = parts.length > 0 ? `: ${sentenceList(parts)}` : '';
  const unsealed = summary.unsealed > 0 ? `; none is due for ${unsealedFiles(summary)}` : '';
  const failed = errors.length > 0 ? `; ${count(errors.length, 'path')} could not be done` : '';
  const start = applied ? '' : 'Dry run, nothing was changed. ';
  const rebuilt = number(summary.rebuilt);
  const would = summary.rebuilt > 0 ? ` ${rebuilt} would be rebuilt.` : '';
  const end = applied ? ` Rebuilt ${rebuilt}.` : would;
  const indexes = count(summary.files, 'index', 'indexes');
  const line = `${start}${indexes}${outcome}${unsealed}${failed}.${end}`;
  const isDue = !applied && !asks && summary.rebuilt > 0;
  const next = isDue ? `To do it:\n  ${commandLine(words, { apply: true })}\n` : '';
  return `${wrap(line, proseColumns(style)).join('\n')}\n${next}`;
}

function unsealedFiles({ unsealed }: ReindexAnswer['summary']): string {
  return count(unsealed, 'unsealed file');
}
