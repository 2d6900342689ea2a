import type { RecoverAnswer } from '../operations/recover.js';
import type { RecoveredFileReport } from '../operations/recover-file.js';
import type { RunView } from './command-line.js';
import { commandLine, restoringLine } from './command-line.js';
import { paintState } from './inspect-finding.js';
import { renderRootTables } from './root-tables.js';
import { salvageLine } from './salvage-line.js';
import { safeText } from './safe-text.js';
import { proseColumns, type Style } from './style.js';
import type { Cell, Column } from './table.js';
import { count, number, sentenceList, wrap } from './words.js';

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
  view: RunView = {},
): string {
  const tables = renderRootTables(answer.files, COLUMNS, (file) => rowOf(file, style), style);
  // What an error tells of a file is not told again.
  const told = new Set(answer.errors.map(({ path }) => path));
  const paragraphs = answer.files
    .filter(({ path }) => !told.has(path))
    .map((file) => paragraphOf(file, answer.applied, style, view));
  return tables + paragraphs.join('') + closing(answer, words, style, view);
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
  { keepsNothing = false }: RunView,
): string {
  const { outcome, reason, quarantine, validBytes, fileBytes, beyond } = file;
  const title = `${style.chalk.bold(safeText(file.path))}\n`;
  const text = (words: string): string =>
    wrap(words, proseColumns(style) - 2)
      .map((line) => `  ${line}\n`)
      .join('');
  switch (outcome) {
    case 'refused':
      return `${title}${text(`refused: ${reason ?? ''}.`)}  Next: ${salvageLine(file.path)}\n\n`;
    case 'preserved':
      return `${title}${text('A restart keeps this damage and refuses appends. Have the copy filled from another one.')}\n`;
    case 'discarded': {
      const goes = `${count(fileBytes - validBytes, 'byte')} from byte ${number(validBytes)} on`;
      const start = applied ? `Discarded ${goes}.` : `Would discard ${goes}.`;
      const lost = lostRecords(beyond, applied);
      const forGood = keepsNothing ? ' Nothing is kept: what is cut is gone for good.' : '';
      const kept =
        quarantine === null
          ? ''
          : `  Kept in ${safeText(quarantine)}\n  To undo it: ${restoringLine([quarantine])}\n`;
      return `${title}${text(`${start}${lost}${forGood}`)}${kept}\n`;
    }
    case 'none':
    case 'extended':
      return '';
  }
}

/** A restart loses these too, and says nothing of them. */
function lostRecords(beyond: RecoveredFileReport['beyond'], applied: boolean): string {
  if (!beyond || beyond.frames === 0) return '';
  const { frames, firstOffset, lastOffset } = beyond;
  const offsets =
    firstOffset === null || lastOffset === null
      ? ''
      : firstOffset === lastOffset
        ? ` (offset ${firstOffset})`
        : ` (offsets ${firstOffset} to ${lastOffset})`;
  const go = applied ? 'went' : 'would go';
  return ` ${count(frames, 'whole record')}${offsets} ${go} with them.`;
}

function closing(
  { applied, summary, errors }: RecoverAnswer,
  words: readonly string[],
  style: Style,
  { asks = false }: RunView,
): string {
  const parts = (['none', 'discarded', 'extended', 'preserved', 'refused'] as const)
    .filter((outcome) => summary[outcome] > 0)
    .map(
      (outcome) => `${number(summary[outcome])} ${wordsFor(outcome, summary[outcome], applied)}`,
    );
  const failed = errors.length > 0 ? `; ${count(errors.length, 'path')} could not be done` : '';
  const outcome = parts.length > 0 ? `: ${sentenceList(parts)}` : '';
  const start = applied ? '' : 'Dry run, nothing was changed. ';
  const line = `${start}${count(summary.files, 'last file')}${outcome}${failed}.`;
  const isDue = !applied && !asks && summary.discarded + summary.extended > 0;
  const next = isDue ? `To do it:\n  ${commandLine(words, { apply: true })}\n` : '';
  return `${wrap(line, proseColumns(style)).join('\n')}\n${next}`;
}

/** What a dry run only announces is told as what would be. */
function wordsFor(
  outcome: RecoveredFileReport['outcome'],
  files: number,
  applied: boolean,
): string {
  if (outcome === 'none') return files === 1 ? 'as it is' : 'as they are';
  const isAnnounced = !applied && (outcome === 'discarded' || outcome === 'extended');
  return isAnnounced ? `would be ${outcome}` : outcome;
}
