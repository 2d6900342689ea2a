import { dirname } from 'node:path';
import type { SettleAnswer } from '../operations/settle.js';
import type { SealOutcome } from '../policy/seal-decision.js';
import type { RunView } from './command-line.js';
import { checkingLine, commandLine, restoringLine } from './command-line.js';
import { safeText } from './safe-text.js';
import { proseColumns, type Style } from './style.js';
import { count, number, sentenceList, shellWord, wrap } from './words.js';

/** More entries than these make no command line that one would paste. */
const PASTED_ENTRIES = 3;

const OUTCOMES: readonly SealOutcome[] = [
  'trimmed',
  'fenced',
  'confirmed',
  'short',
  'damaged',
  'failed',
  'refused',
  'stale',
];

/** How a settling ended: what it came to, what it leaves to others, and how to go on, to undo it, to check it. */
export function renderSettlingClosing(
  answer: SettleAnswer,
  words: readonly string[],
  style: Style,
  { asks = false, keepsNothing = false }: RunView,
): string {
  const { applied, results } = answer;
  const isDue = results.some(({ changedFiles }) => changedFiles > 0);
  const goes = results.some(({ cut }) => cut);
  const summary = results.length === 0 ? 'Nothing to settle.' : summaryLine(answer);
  const lost =
    goes && keepsNothing && !applied ? ' Nothing is kept: the cut is gone for good.' : '';
  let text = paragraph(`${summary}${lost}`, style) + leftText(answer, words, style);
  if (!applied && isDue && !asks) text += `To do it:\n  ${commandLine(words, { apply: true })}\n`;
  if (!applied) return text;
  return text + undoText(answer, style) + nextText(answer, words, isDue);
}

/** What a dry run only announces; the other outcomes are what was found, whether or not it is applied. */
const ANNOUNCED: readonly SealOutcome[] = ['trimmed', 'fenced', 'confirmed'];

function summaryLine({ applied, results, remaining, summary }: SettleAnswer): string {
  const parts = OUTCOMES.filter((outcome) => summary[outcome] > 0).map((outcome) => {
    const would = !applied && ANNOUNCED.includes(outcome) ? 'would be ' : '';
    return `${number(summary[outcome])} ${would}${outcome}`;
  });
  const copies = count(results.length, 'copy', 'copies');
  const head = applied ? copies : `Dry run, nothing was changed: ${copies}`;
  const left =
    remaining > 0 ? `; ${count(remaining, 'copy is', 'copies are')} left for a later batch` : '';
  return `${head}: ${sentenceList(parts)}${left}.`;
}

function undoText({ results }: SettleAnswer, style: Style): string {
  const entries = results.flatMap(({ quarantine }) => quarantine ?? []);
  const [first] = entries;
  if (first === undefined) return '';
  const place = safeText(dirname(first));
  if (entries.length <= PASTED_ENTRIES) {
    const text = `What was cut is kept in ${place}. To undo it:`;
    return `${paragraph(text, style)}  ${restoringLine(entries)}\n`;
  }
  const text =
    `What was cut is kept in ${place}, in ${number(entries.length)} entries named ` +
    'NODE.SEGMENT.FROM-TO.TIME. To undo it, give them to malachi restore; the first one:';
  return `${paragraph(text, style)}  ${restoringLine([first])}\n`;
}

function nextText(
  { measured, remaining, nextAfter }: SettleAnswer,
  words: readonly string[],
  isDue: boolean,
): string {
  let text = isDue ? `To check it:\n  ${checkingLine(words)}\n` : '';
  if (remaining > 0 && nextAfter !== null) {
    const next =
      measured === null
        ? `malachi plan-overrun … --after ${safeText(shellWord(nextAfter))} --json`
        : commandLine(words, { after: nextAfter });
    text += `The next batch:\n  ${next}\n`;
  }
  return text;
}

/** What this run had nothing to do with, and does not end well without. */
function leftText(
  { waiting, shortCopies, orphanedFences, elsewhere }: SettleAnswer,
  words: readonly string[],
  style: Style,
): string {
  let text = '';
  const found: string[] = [];
  if (shortCopies) found.push(count(shortCopies, 'short copy', 'short copies'));
  if (orphanedFences) found.push(count(orphanedFences, 'orphaned fence'));
  if (found.length > 0) {
    const line = `Found ${sentenceList(found)}, which settling does not help. What they need:`;
    text += `${paragraph(line, style)}  ${checkingLine(words)}\n`;
  }
  if (waiting > 0) {
    const segments = count(waiting, 'segment waits', 'segments wait');
    const line = `${segments} for a replica whose node is not given: give it, or add --partial.`;
    text += paragraph(line, style);
  }
  if (elsewhere.length > 0) {
    const total = elsewhere.reduce((sum, { copies }) => sum + copies, 0);
    const nodes = elsewhere.map(({ replica, copies }) => `${number(copies)} on ${replica}`);
    const line =
      `${count(total, 'copy of the plan is on a node that is', 'copies of the plan are on nodes that are')} not given: ` +
      `${safeText(sentenceList(nodes))}. Settle them on their hosts.`;
    text += paragraph(line, style);
  }
  return text;
}

function paragraph(text: string, style: Style): string {
  return `${wrap(text, proseColumns(style)).join('\n')}\n`;
}
