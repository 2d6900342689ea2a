import { availableParallelism } from 'node:os';
import type { Disk } from '../disk/disk.js';
import { autoRunner } from '../jobs/auto-runner.js';
import type { JobRunner } from '../operations/jobs.js';
import type { Progress } from '../operations/progress.js';
import type { Output } from '../report/output.js';
import { ProgressLine } from '../report/progress.js';
import type { Style } from '../report/style.js';

/** 0 nothing needs attention, 1 findings, 2 invalid input, 3 the system failed, 4 refused for safety. */
export type ExitCode = 0 | 1 | 2 | 3 | 4;

/** Number of its file descriptor. */
const STDOUT = 1;

/** What a command works with. */
export class Context {
  readonly disk: Disk;
  readonly output: Output;
  readonly #interrupted: (() => void)[] = [];
  #exitCode: ExitCode = 0;
  #progress: ProgressLine | undefined;

  constructor(disk: Disk, output: Output) {
    this.disk = disk;
    this.output = output;
  }

  /** The process exits with the largest code that applies. */
  raise(code: ExitCode): void {
    if (code > this.#exitCode) this.#exitCode = code;
  }

  get exitCode(): ExitCode {
    return this.#exitCode;
  }

  /** Registers what must be put right before an interrupted process exits. @returns takes it back. */
  onInterrupt(cleanUp: () => void): () => void {
    this.#interrupted.push(cleanUp);
    return () => {
      this.#interrupted.splice(this.#interrupted.indexOf(cleanUp), 1);
    };
  }

  /** Cleans up after an interrupt, the latest first. */
  interrupt(): void {
    for (const cleanUp of this.#interrupted.splice(0).reverse()) cleanUp();
  }

  /** How text is made up on stdout, or on another stream. */
  async style(
    options: { readonly color: boolean },
    stream: NodeJS.WriteStream = process.stdout,
  ): Promise<Style> {
    const { createStyle } = await import('../report/style.js');
    const { env } = process;
    const choice = { noColorFlag: !options.color, environment: env, isTerminal: stream.isTTY };
    // A terminal that does not know its width says 0.
    return createStyle(choice, stream.isTTY && stream.columns > 0 ? stream.columns : undefined);
  }

  /** The progress line, where there is a terminal for it; one for all the work of the command. */
  progress(options: ProgressOptions): Progress | undefined {
    const { stderr } = process;
    if (!stderr.isTTY || options.quiet === true || !options.progress) return undefined;
    if (!this.#progress) {
      const line = new ProgressLine(stderr);
      this.#progress = line;
      this.onInterrupt(() => line.clear());
    }
    return this.#progress;
  }

  /**
   * The same for a command that writes its result as it goes: only where that goes to a file, for what is
   * at the other end of a pipe may write to the same terminal.
   */
  progressBeside(options: ProgressOptions): Progress | undefined {
    try {
      return this.disk.fstat(STDOUT).kind === 'file' ? this.progress(options) : undefined;
    } catch {
      // It is closed.
      return undefined;
    }
  }

  /** Runs a command's work on many files. */
  runner(options: RunnerOptions): JobRunner {
    const workers = options.jobs ?? availableParallelism();
    return autoRunner(this.disk, workers, this.progress(options));
  }
}

export interface ProgressOptions {
  readonly progress: boolean;
  readonly quiet?: boolean;
}

export interface RunnerOptions extends ProgressOptions {
  /** Worker threads; the number of cores if not given. */
  readonly jobs?: number;
}
