import { parseLogName } from '../format/names.js';
import type { SealResult } from '../operations/seal-result.js';
import type { SettleAnswer } from '../operations/settle.js';
import type { SealOutcome } from '../policy/seal-decision.js';
import type { RunView } from './command-line.js';
import { renderSettlingClosing } from './settle-closing.js';
import { safeText } from './safe-text.js';
import { proseColumns, type Style } from './style.js';
import type { Cell, Column } from './table.js';
import { renderTable } from './table.js';
import { number, wrap } from './words.js';

const COLUMNS: readonly Column[] = [
  { head: 'COPY', flexible: true },
  { head: 'OUTCOME' },
  { head: 'HELD', align: 'right' },
  { head: 'CUT', align: 'right' },
  { head: 'BYTES', align: 'right' },
  { head: 'FROM', align: 'right' },
  { head: 'TO', align: 'right' },
];

function painter(outcome: SealOutcome, style: Style): (text: string) => string {
  const { green, yellow, red } = style.chalk;
  if (outcome === 'trimmed' || outcome === 'fenced' || outcome === 'confirmed') return green;
  return outcome === 'short' || outcome === 'stale' ? yellow : red;
}

/**
 * The answer for a person: a table with where each cut begins and ends, what is not settled and why, and how to
 * go on.
 *
 * @param words the command line of this run, to make the next one of.
 */
export function renderSettling(
  answer: SettleAnswer,
  words: readonly string[],
  style: Style,
  view: RunView = {},
): string {
  const { results } = answer;
  const closing = renderSettlingClosing(answer, words, style, view);
  if (results.length === 0) return closing;
  const rows = results.map((copy) => rowOf(copy, style));
  const legend = results.some(({ cut }) => cut) ? style.chalk.dim(paragraph(LEGEND, style)) : '';
  const reasons = results
    .filter(({ reason }) => reason !== null)
    .map((copy) => reasonText(copy, style));
  const table = renderTable(COLUMNS, rows, style) + legend;
  const sections = [table, reasons.join(''), closing];
  return sections.filter((section) => section !== '').join('\n');
}

const LEGEND =
  'CUT, BYTES: records and bytes that go. FROM, TO: log files by their first offset; the cut begins at ' +
  'that byte of the one, and ends with it, or with the other.';

function rowOf(copy: SealResult, style: Style): (Cell | string)[] {
  const { outcome, heldRecords, droppedRecords, droppedBytes } = copy;
  const shown = (value: number | null): string => (value === null ? '?' : number(value));
  const { firstFile = '', position = 0, lastFile = '' } = copy.cut ?? {};
  return [
    copyName(copy),
    { text: outcome, paint: painter(outcome, style) },
    shown(heldRecords),
    shown(droppedRecords),
    shown(droppedBytes),
    copy.cut ? `${firstOffset(firstFile)}@${number(position)}` : '',
    lastFile === firstFile ? '' : firstOffset(lastFile),
  ];
}

function firstOffset(fileName: string): string {
  return (parseLogName(fileName) ?? 0n).toString();
}

function reasonText(copy: SealResult, style: Style): string {
  const paint = painter(copy.outcome, style);
  const lines = wrap(`${copy.reason}.`, proseColumns(style) - 2);
  const body = lines.map((line) => `  ${safeText(line)}\n`).join('');
  return `${paint(copy.outcome)} ${safeText(copyName(copy))}\n${body}`;
}

function paragraph(text: string, style: Style): string {
  return `${wrap(text, proseColumns(style)).join('\n')}\n`;
}

function copyName({ segment, replica }: Pick<SealResult, 'segment' | 'replica'>): string {
  return `${segment}/${replica}`;
}
