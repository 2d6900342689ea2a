import { CommanderError } from 'commander';
import { nodeDisk } from '../disk/node-disk.js';
import { MalachiError } from '../errors.js';
import { Output } from '../report/output.js';
import { Context } from './context.js';
import { buildProgram } from './program.js';

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
    if (isSystemError(error)) {
      output.error(`the system failed: ${error.message.split('\n')[0]}`);
      return 3;
    }
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    output.error(`internal error, please report it: ${detail}`);
    return 3;
  }
}

/** An error of a system call that Node made for itself: the working directory is gone, no file can be opened. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}
