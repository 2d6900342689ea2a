import { MalachiError, RefusedError, StorageError } from '../errors.js';

/** One item that could not be answered; the others are. */
export interface Problem {
  readonly path: string;
  /** An errno name, or one of the toolkit's own codes. */
  readonly code: string;
  readonly message: string;
  /** The exit code that it leads to. */
  readonly exitCode: 2 | 3 | 4;
}

/** Makes a problem of an expected error about `path`; what is not expected is thrown on. */
export function toProblem(path: string, error: unknown): Problem {
  if (!(error instanceof MalachiError)) throw error;
  const { code, exitCode } = error;
  // What the system says of an open file does not name it.
  const message = error.message.includes(path) ? error.message : `${path}: ${error.message}`;
  return { path, code, message, exitCode };
}

/** Runs `use`, and files an expected error under `path`. @returns `null` then. */
export function orProblem<T>(path: string, problems: Problem[], use: () => T): T | null {
  try {
    return use();
  } catch (error) {
    problems.push(toProblem(path, error));
    return null;
  }
}

/** A name in a log root or a copy that is not what the system writes, so that the file cannot be read as one. */
export function badName(path: string, expected: string): StorageError {
  return new StorageError('EBADNAME', path, `${path}: expected a name like ${expected}`);
}

export function refusedFormat(root: string, message: string): RefusedError {
  return new RefusedError('EFORMAT', `${root}: ${message}`);
}
