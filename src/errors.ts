/**
 * The exceptional, as few classes, each with a stable `code` and the exit code it leads to. Damage to
 * bytes is never one of these: damage is data.
 */
export abstract class MalachiError extends Error {
  /** Stable identifier: an errno name, or one of the toolkit's own codes. */
  readonly code: string;
  /** The process exit code that this error asks for. */
  abstract readonly exitCode: 2 | 3 | 4;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.name = new.target.name;
  }
}

/** The command line or an input file is wrong: says the thing, what was expected and what was found. */
export class InvalidInputError extends MalachiError {
  readonly exitCode = 2;

  constructor(message: string, code = 'EINVALID') {
    super(code, message);
  }
}

/** The system failed (`EIO`, `EACCES`, `ENOSPC`…), or a file changed under a read (`ECHANGED`). */
export class StorageError extends MalachiError {
  readonly exitCode = 3;
  /** The path or description of what was worked on. */
  readonly path: string;

  constructor(code: string, path: string, message: string, options?: ErrorOptions) {
    super(code, message, options);
    this.path = path;
  }
}

/** Refused for safety; nothing was written. */
export class RefusedError extends MalachiError {
  readonly exitCode = 4;
}
