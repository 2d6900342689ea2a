import { Command, CommanderError } from 'commander';
import { nodeDisk } from '../disk/node-disk.js';
import { MalachiError } from '../errors.js';
import { Output } from '../report/output.js';
import { safeText } from '../report/safe-text.js';
import { commandTable } from './command-table.js';
import { Context } from './context.js';
import type { CommonOptions } from './options.js';
import { packageVersion } from './version.js';

/** Exit codes of a process that a signal asked to end: 128 + its number, as shells have it. */
const SIGNAL_EXIT = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Runs one command line.
 *
 * @param argv the arguments, without the interpreter and the script.
 * @returns the exit code, once all output is written.
 */
export async function run(argv: readonly string[]): Promise<number> {
  const output = new Output(process.stdout, process.stderr);
  const context = new Context(nodeDisk, output);
  for (const [signal, code] of Object.entries(SIGNAL_EXIT)) {
    process.once(signal, () => {
      context.interrupt();
      process.exit(code);
    });
  }
  const failed = await tell(output, async () => {
    const program = await buildProgram(context, argv);
    await program.parseAsync(argv, { from: 'user' });
  });
  const unwritten = await tell(output, () => output.finish());
  return Math.max(context.exitCode, failed, unwritten);
}

/** Runs a part of the work and tells its error in one line. @returns the exit code that it asks for. */
async function tell(output: Output, work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof MalachiError) {
      output.error(error.message);
      return error.exitCode;
    }
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    output.error(`internal error, please report it: ${detail}`);
    return 3;
  }
}

async function buildProgram(context: Context, argv: readonly string[]): Promise<Command> {
  const program = new Command('malachi')
    .description('Offline inspection and repair of Malachi log segments.')
    .version(packageVersion(context.disk), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command, with examples')
    .showSuggestionAfterError(true)
    .hook('preAction', (_, command) => {
      if (command.opts<CommonOptions>().quiet === true) context.output.silence();
    });
  const wanted = argv.find((argument) => Object.hasOwn(commandTable, argument));
  const names = wanted === undefined || argv[0] === 'help' ? Object.keys(commandTable) : [wanted];
  for (const name of names) {
    const build = await commandTable[name]?.();
    if (build) program.addCommand(build(context));
  }
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({
      outputError: (text, write) => write(text.split('\n').map(safeText).join('\n')),
    });
  }
  return program;
}
