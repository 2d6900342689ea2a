import type { SourceText } from '../control-plane/snapshot.js';
import type { Disk } from '../disk/disk.js';
import { isMissing } from '../disk/durable.js';
import { readSmallFile } from '../disk/file-source.js';
import { InvalidInputError, StorageError } from '../errors.js';

/** About the longest string that the runtime can hold. */
const LIMIT_BYTES = 500 * 1024 * 1024;
const NO_FILE = new Set(['EISDIR', 'ENOTREG', 'EFBIG']);

/**
 * Reads a document that the command line names.
 *
 * @throws {InvalidInputError} if it is missing, no regular file, or no UTF-8.
 * @throws {StorageError} if it cannot be read.
 */
export function readDocument(disk: Disk, path: string): SourceText {
  const bytes = readBytes(disk, path);
  try {
    return { name: path, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    throw new InvalidInputError(`${path}: expected JSON in UTF-8, found other bytes`);
  }
}

function readBytes(disk: Disk, path: string): Buffer {
  try {
    return readSmallFile(disk, path, LIMIT_BYTES);
  } catch (error) {
    if (isMissing(error)) throw new InvalidInputError(`${path}: no such file`, 'ENOENT');
    if (error instanceof StorageError && NO_FILE.has(error.code)) {
      throw new InvalidInputError(error.message, error.code);
    }
    throw error;
  }
}
