import { StorageError } from '../errors.js';

/**
 * The failure contract of a handle: a system error comes back with its own code, and from then on every call
 * is refused with `EHANDLE`, for what the handle believes of its file may no longer be true.
 */
export class FailureLatch {
  readonly #path: string;
  #failure: unknown = null;
  #closed = false;

  /** @param path what the handle works on, for messages. */
  constructor(path: string) {
    this.#path = path;
  }

  get failed(): boolean {
    return this.#failure !== null;
  }

  get closed(): boolean {
    return this.#closed;
  }

  close(): void {
    this.#closed = true;
  }

  /**
   * A `RangeError` speaks of an argument and is no failure of the handle; anything else is.
   *
   * @throws StorageError `EHANDLE` after a failure or after `close`, else whatever `work` throws.
   */
  run<T>(work: () => T): T {
    if (this.failed) {
      const message = `the handle on ${this.#path} failed and must be opened anew`;
      throw new StorageError('EHANDLE', this.#path, message, { cause: this.#failure });
    }
    if (this.#closed) {
      throw new StorageError('EHANDLE', this.#path, `the handle on ${this.#path} is closed`);
    }
    try {
      return work();
    } catch (error) {
      if (!(error instanceof RangeError)) this.#failure = error;
      throw error;
    }
  }
}
