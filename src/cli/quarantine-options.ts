import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { RefusedError } from '../errors.js';
import type { LinkedFile } from '../operations/linked-files.js';
import { safeText } from '../report/safe-text.js';
import { count } from '../report/words.js';
import { canAsk } from './confirm.js';

/** Options of commands that cut. */
export interface QuarantineOptions {
  readonly apply?: boolean;
  /** A directory, or false for none. */
  readonly quarantine: string | false;
  readonly yes?: boolean;
}

export function addQuarantineOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--quarantine <dir>', 'where what is cut is kept')
        .argParser(placeName)
        .default('./malachi-quarantine'),
    )
    .option('--no-quarantine', 'keep nothing: what is cut is gone for good')
    .option('-y, --yes', 'ask nothing, and go on where open files cannot be checked for');
}

/** An empty name would be this very directory: most likely a variable that is not set. */
function placeName(text: string): string {
  if (text === '') throw new InvalidArgumentError('Expected the name of a directory.');
  return text;
}

/** What becomes of what is cut, as a question says it. */
export function keptWords({ quarantine }: Pick<QuarantineOptions, 'quarantine'>): string {
  return quarantine === false
    ? 'WITHOUT a quarantine: what is cut is gone for good'
    : `what is cut is kept in ${safeText(quarantine)}`;
}

/** A backup of hard links is none of a file that is cut in place. */
export function linkedNote({ path, linkCount }: LinkedFile): string {
  const others = count(linkCount - 1, 'other name', 'other names');
  return (
    `${safeText(path)} has ${others} (hard links): they share its bytes, so the cut changes them too. ` +
    'Where such a link is a backup, copy the file first.'
  );
}

/** @throws RefusedError `EWANTSYES` if nothing would be kept, and nobody can be asked whether that is meant. */
export function requireQuarantineOrYes({ apply, quarantine, yes }: QuarantineOptions): void {
  if (apply !== true || quarantine !== false || yes === true || canAsk()) return;
  throw new RefusedError(
    'EWANTSYES',
    'refused: with --no-quarantine what is cut is gone for good; add --yes if that is meant',
  );
}
