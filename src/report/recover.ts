import type { RecoverAnswer } from '../operations/recover.js';
import type { RecoveredFileReport } from '../operations/recover-file.js';
import { commandLine } from './command-line.js';
import { paintState } from './inspect-finding.js';
import { renderRootTables } from './root-tables.js';
import { safeText } from './safe-text.js';
import type { Style } from './style.js';
import type { Cell, Column } from './table.js';
import { count, number, sentenceList, shellWord, wrap } from './words.js';

const TEXT_COLUMNS = 80;

const COLUMNS: readonly Column[] = [
  { head: 'SEGMENT', flexible: true },
  { head: 'BASE OFFSET', align: 'right' },
  { head: 'STATE' },
  { head: 'OUTCOME' },
  { head: 'RECORDS', align: 'right' },
  { head: 'BYTES', align: 'right' },
  { head: 'THEN', align: 'right' },
];

/**
 * The answer for a person: what becomes of each file, what is refused and why, and how to go on.
 *
 * @param words the command line of this run, to make the next one of.
 */
export function renderRecovery(
  answer: RecoverAnswer,
  words: readonly string[],
  style: Style,
): string {
  const tables = renderRootTables(answer.files, COLUMNS, (file) => rowOf(file, style), style);
  const paragraphs = answer.files.flatMap((file) => paragraphOf(file, answer.applied, style) ?? []);
  return tables + paragraphs.join('') + closing(answer, words, style);
}

function rowOf(file: RecoveredFileReport, style: Style): (Cell | string)[] {
  const { green, yellow, red, dim } = style.chalk;
  const paint = { none: dim, extended: green, discarded: yellow, preserved: red, refused: red };
  return [
    file.segment,
    file.baseOffset.toString(),
    { text: file.classification, paint: paintState(file.classification, style) },
    { text: file.outcome, paint: paint[file.outcome] },
    number(file.records),
    number(file.fileBytes),
    number(file.afterBytes),
  ];
}

function paragraphOf(
  file: RecoveredFileReport,
  applied: boolean,
  style: Style,
): string | undefined {
  const { outcome, reason, quarantine, validBytes, fileBytes } = file;
  const title = `${style.chalk.bold(safeText(file.path))}\n`;
  const text = (words: string): string =>
    wrap(words, Math.min(style.columns, TEXT_COLUMNS) - 2)
      .map((line) => `  ${line}\n`)
      .join('');
  switch (outcome) {
    case 'refused':
      return `${title}${text(`refused: ${reason ?? ''}.`)}  Next: malachi salvage ${safeText(shellWord(file.path))} --out NEW\n\n`;
    case 'preserved':
      return `${title}${text('A restart keeps this damage and refuses appends. Have the copy filled from another one.')}\n`;
    case 'discarded': {
      const goes = `${count(fileBytes - validBytes, 'byte')} from byte ${number(validBytes)} on`;
      const kept = quarantine === null ? '' : `  Kept in ${safeText(quarantine)}\n`;
      return `${title}${text(applied ? `Discarded ${goes}.` : `Would discard ${goes}.`)}${kept}\n`;
    }
    case 'none':
    case 'extended':
      return undefined;
  }
}

function closing(
  { applied, summary, errors }: RecoverAnswer,
  words: readonly string[],
  style: Style,
): string {
  const parts = (['none', 'discarded', 'extended', 'preserved', 'refused'] as const)
    .filter((outcome) => summary[outcome] > 0)
    .map((outcome) => `${number(summary[outcome])} ${outcome === 'none' ? 'as it is' : outcome}`);
  const failed = errors.length > 0 ? `; ${count(errors.length, 'path')} could not be done` : '';
  const outcome = parts.length > 0 ? `: ${sentenceList(parts)}` : '';
  const start = applied ? '' : 'Dry run, nothing was changed. ';
  const line = `${start}${count(summary.files, 'last file')}${outcome}${failed}.`;
  const isDue = !applied && summary.discarded + summary.extended > 0;
  const next = isDue ? `To do it:\n  ${commandLine(words, { apply: true })}\n` : '';
  return `${wrap(line, Math.min(style.columns, TEXT_COLUMNS)).join('\n')}\n${next}`;
}
