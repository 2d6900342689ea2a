import { Command, CommanderError } from 'commander';
import { InvalidInputError } from '../errors.js';
import { nearest } from '../policy/nearest.js';
import { safeText } from '../report/safe-text.js';
import { commandTable } from './command-table.js';
import type { Context } from './context.js';
import type { CommonOptions } from './options.js';
import { packageVersion } from './version.js';

/** The program with the one command that these arguments name, or with every command if they name none. */
export async function buildProgram(context: Context, argv: readonly string[]): Promise<Command> {
  const wanted = argv.find((argument) => Object.hasOwn(commandTable, argument));
  const isOne = wanted !== undefined && argv[0] !== 'help';
  return assemble(context, isOne ? [wanted] : Object.keys(commandTable));
}

/** The program with every command. */
export function buildWholeProgram(context: Context): Promise<Command> {
  return assemble(context, Object.keys(commandTable));
}

async function assemble(context: Context, names: readonly string[]): Promise<Command> {
  const program = new Command('malachi')
    .description('Offline inspection and repair of Malachi log segments.')
    .option('-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .showSuggestionAfterError(true)
    .hook('preAction', (_, command) => {
      if (command.opts<CommonOptions>().quiet === true) context.output.silence();
    });
  program.on('option:version', () => {
    // As commander's own; that one would read the package's manifest on every run.
    const version = packageVersion(context.disk);
    program.configureOutput().writeOut?.(`${version}\n`);
    throw new CommanderError(0, 'commander.version', version);
  });
  for (const name of names) {
    const build = await commandTable[name]?.();
    if (build) program.addCommand(build(context));
  }
  program.addCommand(helpCommand(program));
  for (const command of [program, ...program.commands]) {
    const next = command === program ? 'malachi help' : `malachi help ${command.name()}`;
    command.exitOverride().configureOutput({
      outputError: (text, write) => write(`${errorLine(text, next)}\n`),
    });
  }
  return program;
}

/** An error on one line, with what to do next: what may have been meant, or where it is told. */
function errorLine(text: string, next: string): string {
  const line = `malachi: ${safeText(withoutPrefix(text.trim().replaceAll('\n', ' ')))}`;
  return line.endsWith('?)') ? line : `${line} (see: ${next})`;
}

function helpCommand(program: Command): Command {
  return new Command('help')
    .summary('print help for a command, with examples')
    .description('Prints help for a command, with examples and its exit codes.')
    .argument('[command]', 'the name of a command')
    .action((name: string | undefined) => {
      const names = program.commands.map((command) => command.name());
      const found = program.commands.find((command) => command.name() === name);
      if (name !== undefined && !found) {
        const meant = nearest(name, names);
        const hint = meant === null ? `one of ${names.join(', ')}` : `did you mean ${meant}?`;
        throw new InvalidInputError(`unknown command '${name}' (${hint})`);
      }
      (found ?? program).outputHelp();
    });
}

/** What commander says, without the word that it puts in front. */
export function withoutPrefix(text: string): string {
  return text.replace(/^error: /, '');
}
