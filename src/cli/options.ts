import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';

/** Options that every command has. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly color: boolean;
  readonly quiet?: boolean;
}

export function addCommonOptions(command: Command): Command {
  return addOutputOptions(command.addOption(new Option('--json', 'print one JSON document')));
}

/** Those of a command that has no answer in JSON. */
export function addOutputOptions(command: Command): Command {
  return command
    .addOption(new Option('--no-color', 'no colour, as with NO_COLOR'))
    .addOption(new Option('-q, --quiet', 'no progress and no notes on stderr'));
}

/** Options of commands that read many files. */
export function addRunnerOptions(command: Command): Command {
  return addProgressOption(
    command.addOption(
      new Option('-j, --jobs <n>', 'worker threads (default: the number of cores)').argParser(
        wholeNumber(1),
      ),
    ),
  );
}

/** The option of every command whose work can take long. */
export function addProgressOption(command: Command): Command {
  return command.addOption(new Option('--no-progress', 'no progress line'));
}

export function ignoreFormatOption(): Option {
  return new Option(
    '--ignore-format',
    'also work on log roots whose malachi.format is not understood',
  );
}

/** Parses a whole number of an option; digits only, so that `1e3`, `0x10` and `-1` are refused. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < least || !Number.isSafeInteger(number)) {
      throw new InvalidArgumentError(`Expected a whole number from ${least} to 2^53-1.`);
    }
    return number;
  };
}
