import { safeText } from './safe-text.js';
import { shellWord } from './words.js';

/** What a dry run's text has to know of the run beside its answer. */
export interface RunView {
  /** A question follows, instead of the command that would do it. */
  readonly asks?: boolean;
  /** There is no quarantine: what is cut would be gone for good. */
  readonly keepsNothing?: boolean;
}

const INPUTS_WITH_VALUE = /^--(metadata|node|inventory|replication-factor|failed)(=|$)/;
const INPUT_FLAGS = /^--(partial|ignore-format)$/;

/** The command line that holds a settling's copies against their seals, ready to paste. */
export function checkingLine(words: readonly string[]): string {
  const inputs: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (INPUT_FLAGS.test(word)) inputs.push(word);
    if (!INPUTS_WITH_VALUE.test(word)) continue;
    inputs.push(word);
    if (!word.includes('=')) inputs.push(words[++at] ?? '');
  }
  // A saved plan can be followed without the metadata, and cannot be checked without.
  const hasMetadata = inputs.some((word) => word.startsWith('--metadata'));
  const given = hasMetadata ? inputs : ['--metadata', 'FILE', ...inputs];
  return pasteable(['malachi', 'plan-overrun', ...given]);
}

/** The command line that undoes the cuts which quarantine entries were made for, ready to paste. */
export function restoringLine(entries: readonly string[]): string {
  return pasteable(['malachi', 'restore', ...entries]);
}

/** The same for all entries of a quarantine. */
export function restoringAllLine(quarantine: string): string {
  return `${restoringLine([quarantine.replace(/\/+$/, '')])}/*`;
}

function pasteable(words: readonly string[]): string {
  return words.map((word) => safeText(shellWord(word))).join(' ');
}

/**
 * The command line to go on with, ready to paste.
 *
 * @param words those of this run, without the program.
 * @param change what is different: `--apply`, or another place to start from.
 */
export function commandLine(
  words: readonly string[],
  change: { readonly apply?: true; readonly after?: string },
): string {
  const next: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const isAfter = change.after !== undefined && /^--after(=|$)/.test(word);
    if (!isAfter) next.push(word);
    else if (word === '--after') at++;
  }
  if (change.apply) next.push('--apply');
  if (change.after !== undefined) next.push('--after', change.after);
  return pasteable(['malachi', ...next]);
}
