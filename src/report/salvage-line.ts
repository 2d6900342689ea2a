import { basename, join } from 'node:path';
import { safeText } from './safe-text.js';
import { shellWord } from './words.js';

/** The command that gets the whole records out of a damaged file, ready to paste: a file of the same name. */
export function salvageLine(path: string): string {
  const [from, to] = [path, join('rescued', basename(path))].map((word) =>
    safeText(shellWord(word)),
  );
  return `malachi salvage ${from} --out ${to}`;
}
