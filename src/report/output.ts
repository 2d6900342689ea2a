import { StorageError } from '../errors.js';
import { safeText } from './safe-text.js';

/** Where a command's words go: its result to stdout, everything else to stderr. */
export class Output {
  readonly #stdout: NodeJS.WriteStream;
  readonly #stderr: NodeJS.WriteStream;
  #quiet = false;
  readonly #noted = new Set<string>();
  #failure: StorageError | null = null;
  #readerGone = false;
  #isEmpty = true;

  constructor(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    stdout.on('error', (error: NodeJS.ErrnoException) => {
      // A reader that has seen enough (`| head`) is no failure.
      if (error.code === 'EPIPE') this.#readerGone = true;
      else this.#failure ??= new StorageError(error.code ?? 'EIO', 'stdout', error.message);
    });
    stderr.on('error', () => undefined);
  }

  /** No notes from here on; errors are still told. */
  silence(): void {
    this.#quiet = true;
  }

  /** Whether nothing was written to stdout so far. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Whether nobody reads the result any more: long work may stop. */
  get readerGone(): boolean {
    return this.#readerGone || this.#failure !== null;
  }

  /** Writes a part of the result; waits for a slow reader. */
  async result(text: string | Uint8Array): Promise<void> {
    if (this.readerGone || text.length === 0) return;
    this.#isEmpty = false;
    if (!this.#stdout.write(text)) {
      await new Promise<void>((resolve) => {
        const done = (): void => {
          this.#stdout.off('drain', done).off('error', done).off('close', done);
          resolve();
        };
        this.#stdout.on('drain', done).on('error', done).on('close', done);
      });
    }
  }

  /** A note for a person, on one line of stderr, told once; left out under `--quiet`. */
  note(text: string): void {
    if (this.#quiet || this.#noted.has(text)) return;
    this.#noted.add(text);
    this.#stderr.write(`${text}\n`);
  }

  /** An error, on one line of stderr, safe for a terminal. */
  error(text: string): void {
    this.#stderr.write(`malachi: ${safeText(text)}\n`);
  }

  /** Waits until the result is written. @throws StorageError if it could not be (`ENOSPC`…). */
  async finish(): Promise<void> {
    if (!this.readerGone) {
      await new Promise<void>((resolve) => {
        this.#stdout.once('error', () => resolve());
        this.#stdout.write('', () => resolve());
      });
    }
    if (this.#failure) throw this.#failure;
  }
}
