import { safeText } from './safe-text.js';
import { shellWord } from './words.js';

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
  return ['malachi', ...next].map((word) => safeText(shellWord(word))).join(' ');
}
