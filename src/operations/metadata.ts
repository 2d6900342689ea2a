import { readSnapshot, type Snapshot } from '../control-plane/snapshot.js';
import type { Disk } from '../disk/disk.js';
import { isMissing } from '../disk/durable.js';
import { readSmallFile } from '../disk/file-source.js';
import { InvalidInputError, StorageError } from '../errors.js';

/** A cluster of a million segments has a snapshot of about 400 MB. */
const METADATA_LIMIT_BYTES = 500_000_000;
const NO_TEXT_FILE = new Set(['EISDIR', 'ENOTREG', 'EFBIG']);

/**
 * Reads metadata snapshots from files.
 *
 * @throws InvalidInputError for a file that is not there, is no UTF-8 or holds no snapshot.
 */
export function readMetadata(disk: Disk, paths: readonly string[]): Snapshot {
  return readSnapshot(paths.map((path) => ({ name: path, text: readText(disk, path) })));
}

/** Reads a file that a user named, as UTF-8. @throws InvalidInputError if it is not there, or no UTF-8. */
export function readText(disk: Disk, path: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readSmallFile(disk, path, METADATA_LIMIT_BYTES);
  } catch (error) {
    if (isMissing(error)) {
      throw new InvalidInputError(`${path}: no such file or directory`, 'ENOENT');
    }
    if (error instanceof StorageError && NO_TEXT_FILE.has(error.code)) {
      throw new InvalidInputError(error.message, error.code);
    }
    throw error;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new InvalidInputError(`${path}: expected text in UTF-8, found other bytes`);
  }
}
