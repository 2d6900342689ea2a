import type { RestoreAnswer } from '../operations/restore-entries.js';
import type { Restoration } from '../operations/restore.js';
import type { RunView } from './command-line.js';
import { commandLine } from './command-line.js';
import { safeText } from './safe-text.js';
import type { Style } from './style.js';
import type { Column } from './table.js';
import { renderTable } from './table.js';
import { count, number } from './words.js';

const COLUMNS: readonly Column[] = [
  { head: 'FILE' },
  { head: 'CHANGE' },
  { head: 'BYTES THEN', align: 'right' },
];

/**
 * The answer for a person: for each entry which files change, and what they then have.
 *
 * @param words the command line of this run, to make the next one of.
 */
export function renderRestoration(
  answer: RestoreAnswer,
  words: readonly string[],
  style: Style,
  { asks = false }: RunView = {},
): string {
  const sections = answer.results.map((copy) => renderCopy(copy, style));
  return [...sections, closing(answer, words, asks)].join('\n');
}

function renderCopy({ entry, directory, files }: Restoration, style: Style): string {
  const title = `${style.chalk.bold(safeText(entry))}\nof ${safeText(directory)}\n`;
  if (files.length === 0) return `${title}nothing to put back: as it was already\n`;
  const rows = files.map(({ name, change, bytes }) => [
    name,
    change,
    bytes === null ? '' : number(bytes),
  ]);
  return title + renderTable(COLUMNS, rows, style);
}

function closing(
  { applied, results, errors }: RestoreAnswer,
  words: readonly string[],
  asks: boolean,
): string {
  const due = results.filter(({ files }) => files.length > 0);
  const bytes = due.reduce((sum, { restoredBytes }) => sum + restoredBytes, 0);
  const directories = new Set(due.map(({ directory }) => directory));
  const copies = `${count(directories.size, 'copy', 'copies')}, ${count(bytes, 'byte')} of log`;
  const failed =
    errors.length > 0 ? `; ${count(errors.length, 'entry', 'entries')} could not be restored` : '';
  if (applied) return `Restored ${copies}${failed}.\n`;
  const next =
    due.length > 0 && !asks ? `To do it:\n  ${commandLine(words, { apply: true })}\n` : '';
  return `Dry run, nothing was changed: ${copies} would come back${failed}.\n${next}`;
}
