import { basename, dirname, join } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { InvalidInputError } from '../errors.js';
import {
  fileStem,
  LOG_SUFFIX,
  parseLogName,
  SEALED_SUFFIX,
  SIDECAR_SUFFIX,
} from '../format/names.js';

/** One file of a log and what stands beside it. */
export interface SegmentFiles {
  readonly directory: string;
  /** Offset of the file's first record, 0 to 2^64-1. */
  readonly baseOffset: bigint;
  readonly logPath: string;
  readonly sidecarPath: string;
  readonly sealedPath: string;
}

export function segmentFiles(directory: string, baseOffset: bigint): SegmentFiles {
  const stem = join(directory, fileStem(baseOffset));
  return {
    directory,
    baseOffset,
    logPath: stem + LOG_SUFFIX,
    sidecarPath: stem + SIDECAR_SUFFIX,
    sealedPath: stem + SEALED_SUFFIX,
  };
}

/** @throws InvalidInputError if the path's last part is not 20 digits and `.log`. */
export function segmentFilesOf(logPath: string): SegmentFiles {
  const baseOffset = parseLogName(basename(logPath));
  if (baseOffset === null) {
    throw new InvalidInputError(`${logPath}: expected a file named by 20 digits and ${LOG_SUFFIX}`);
  }
  return segmentFiles(dirname(logPath), baseOffset);
}

/**
 * The files of a log, by ascending base offset.
 *
 * @throws StorageError if the directory cannot be read.
 */
export function listSegmentFiles(disk: Disk, directory: string): SegmentFiles[] {
  return disk
    .readDirectory(directory)
    .map(({ name }) => parseLogName(name))
    .filter((baseOffset) => baseOffset !== null)
    .map((baseOffset) => segmentFiles(directory, baseOffset));
}
