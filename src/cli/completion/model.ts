import type { Argument, Command, Option } from 'commander';
import { explainedWords } from '../../report/explanations/index.js';

/** What a value of an option or an argument is completed with. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'files' | 'directories' | 'none' };

export interface CompletedOption {
  /** Its spellings, the long one first. */
  readonly flags: readonly string[];
  readonly description: string;
  /** `null` for a flag. */
  readonly value: Values | null;
}

export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  readonly argument: Values;
}

/** What the shells have to know of the program; drawn from the program itself. */
export function completionModel(program: Command): CompletedCommand[] {
  const names = program.commands.map((command) => command.name());
  return program.commands.map((command) => {
    const { options } = command;
    const help = { flags: ['--help', '-h'], description: 'print help', value: null };
    const [argument] = command.registeredArguments;
    return {
      name: command.name(),
      summary: command.summary(),
      options: [...options.filter(({ hidden }) => !hidden).map(toOption), help],
      argument: argument ? argumentValues(argument, names) : { kind: 'none' },
    };
  });
}

function toOption(option: Option): CompletedOption {
  const placeholder = /[<[]([^>\]]+)[>\]]/.exec(option.flags)?.[1];
  return {
    flags: [option.long, option.short].filter((flag) => typeof flag === 'string'),
    description: option.description,
    value: placeholder === undefined ? null : valuesOf(placeholder, option.argChoices),
  };
}

function argumentValues(argument: Argument, commands: readonly string[]): Values {
  if (argument.name() === 'command') return { kind: 'words', words: commands };
  if (argument.name() === 'term') {
    return { kind: 'words', words: explainedWords().filter((word) => !word.includes(' ')) };
  }
  return valuesOf(argument.name(), argument.argChoices);
}

const DIRECTORY = /dir|root/i;
const FILE = /file|path|spec|out|new|plan|entry/i;

/** The placeholder in a flag's description tells what its value is: `<file>`, `<name=root>`, `<n>`. */
function valuesOf(placeholder: string, choices: readonly string[] | undefined): Values {
  if (choices) return { kind: 'words', words: choices };
  if (DIRECTORY.test(placeholder)) return { kind: 'directories' };
  return { kind: FILE.test(placeholder) ? 'files' : 'none' };
}
