import { basename, dirname, resolve } from 'node:path';
import type { Disk } from '../../disk/disk.js';
import { isMissing } from '../../disk/durable.js';
import { FileSource } from '../../disk/file-source.js';
import { InvalidInputError, StorageError } from '../../errors.js';
import { BufferedSource } from '../../format/buffered-source.js';
import type { ByteSource } from '../../format/byte-source.js';
import { LOG_SUFFIX, fileStem, parseLogName } from '../../format/names.js';
import type { FoundFrame } from '../../format/resync.js';
import { breathe } from '../breathe.js';
import { checkFormat, logRootOfCopy } from '../log-root.js';
import { forwardOnly, type Progress } from '../progress.js';
import type { SalvageOptions } from './find-salvage.js';
import { findSalvageSteps } from './find-salvage.js';
import type { SalvageFindings } from './ledger.js';

/** What is written for a frame that is kept, in pieces. */
export type FrameWriter = (source: ByteSource, frame: FoundFrame) => Iterable<Uint8Array>;

/** Where a salvage goes; waits for a slow reader. */
export interface SalvageSink {
  write(bytes: Uint8Array): void | Promise<void>;
  /** Nobody reads any more: the work may stop. */
  readonly isGone: boolean;
}

export interface SalvageRequest extends Pick<SalvageOptions, 'includeOutOfSequence'> {
  readonly progress?: Progress | undefined;
}

export interface Salvage extends SalvageFindings {
  readonly path: string;
  /** Size of the file that was read, in bytes. */
  readonly fileBytes: number;
  /** The name under which a file of these records is a log's: by its first offset. */
  readonly logName: string | null;
}

/**
 * Writes what is whole in a file to a sink, frame by frame. Memory does not grow with the file or its records.
 *
 * @returns `null` if the sink had enough.
 * @throws InvalidInputError if the path is not there or no file; StorageError if it cannot be read, or
 *   (`ECHANGED`) was written to meanwhile; RefusedError for a log root of an unknown format.
 */
export async function salvage(
  disk: Disk,
  path: string,
  { includeOutOfSequence, progress }: SalvageRequest,
  writer: FrameWriter,
  sink: SalvageSink,
): Promise<Salvage | null> {
  const file = FileSource.open(disk, path);
  const reach = forwardOnly(file.size, (bytes) => progress?.advance(bytes));
  progress?.begin(file.size, 'bytes');
  try {
    const source = new BufferedSource(file, READ_AHEAD_BYTES);
    const baseOffset = parseLogName(basename(path));
    const steps = findSalvageSteps(file, { includeOutOfSequence, baseOffset });
    for (;;) {
      const step = steps.next();
      if (step.done === true) {
        if (file.changed()) throw changed(path);
        return { path, fileBytes: file.size, logName: logName(step.value), ...step.value };
      }
      reach(typeof step.value === 'number' ? step.value : step.value.position);
      if (typeof step.value === 'object') {
        for (const piece of writer(source, step.value)) {
          if (sink.isGone) return null;
          await sink.write(piece);
        }
      }
      await breathe();
    }
  } finally {
    progress?.end();
    file.close();
  }
}

const READ_AHEAD_BYTES = 1024 * 1024;

/** The frame's own bytes. */
export function* rawFrame(source: ByteSource, frame: FoundFrame): Generator<Uint8Array> {
  const end = frame.position + frame.bytes;
  for (let at = frame.position; at < end; at += READ_AHEAD_BYTES) {
    const piece = new Uint8Array(Math.min(READ_AHEAD_BYTES, end - at));
    source.readInto(piece, at);
    yield piece;
  }
}

function logName({ firstOffset }: SalvageFindings): string | null {
  return firstOffset === null ? null : fileStem(firstOffset) + LOG_SUFFIX;
}

/**
 * Checks the file that is to be salvaged.
 *
 * @throws InvalidInputError if it is not there or no file; RefusedError for a log root of an unknown format.
 */
export function checkInput(disk: Disk, path: string, ignoreFormat: boolean): void {
  try {
    const { kind } = disk.stat(path);
    if (kind === 'directory') {
      throw new InvalidInputError(`${path}: expected a segment file, found a directory`, 'EISDIR');
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new InvalidInputError(`${path}: no such file or directory`, 'ENOENT');
  }
  if (!ignoreFormat) checkFormat(disk, logRootOfCopy(dirname(resolve(path))));
}

/** The name that a log's file of these records has to have; `null` if the output has it, or any will do. */
export function otherName({ logName }: Salvage, output: string): string | null {
  return basename(output) === logName ? null : logName;
}

function changed(path: string): StorageError {
  const message = `${path} was written to while it was read: stop the node, or salvage a copy of the file`;
  return new StorageError('ECHANGED', path, message);
}
