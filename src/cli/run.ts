import { CommanderError } from 'commander';
import { nodeDisk } from '../disk/node-disk.js';
import { MalachiError } from '../errors.js';
import { turn } from '../operations/breathe.js';
import { Output } from '../report/output.js';
import { Context } from './context.js';
import { buildProgram, withoutPrefix } from './program.js';

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
  if (failed && argv.includes('--json') && output.isEmpty) {
    const { renderJson } = await import('../report/json.js');
    const { code, message } = failed;
    await output.result(renderJson('error', { errors: [{ code, message }] }));
  }
  const unwritten = await tell(output, () => output.finish());
  // A signal that came while nothing could be interrupted is heard here, before the run calls itself done.
  await turn();
  return Math.max(context.exitCode, failed?.exitCode ?? 0, unwritten?.exitCode ?? 0);
}

/** Why the work ended before it was done. */
type Failure = Pick<MalachiError, 'code' | 'message' | 'exitCode'>;

/** Runs a part of the work and tells its error in one line. */
async function tell(output: Output, work: () => Promise<void>): Promise<Failure | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof CommanderError) {
      // It has printed what it has to say: help, the version, or what is wrong.
      return error.exitCode === 0
        ? null
        : { code: 'EINVALID', message: withoutPrefix(error.message), exitCode: 2 };
    }
    if (!(error instanceof MalachiError)) return tellUnexpected(output, error);
    output.error(error.message);
    return error;
  }
}

function tellUnexpected(output: Output, error: unknown): Failure {
  // An error of a system call that Node made for itself: the working directory is gone, no file can be opened.
  const isOfSystem = error instanceof Error && 'syscall' in error;
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const message = isOfSystem
    ? `the system failed: ${error.message.split('\n')[0]}`
    : `internal error, please report it: ${text}`;
  output.error(message);
  return { code: 'EIO', message, exitCode: 3 };
}
