import type { Hash } from 'node:crypto';
import { createHash } from 'node:crypto';
import type { Disk } from '../disk/disk.js';
import type { FileSource } from '../disk/file-source.js';
import { withFileSteps } from '../disk/file-source.js';
import { StorageError } from '../errors.js';
import { isAllZero } from '../format/byte-source.js';
import { DEFAULT_INDEX_INTERVAL, SidecarBuilder } from '../format/sidecar.js';
import { classifyTail, readTailShape } from '../format/tail.js';
import type { FrameKernel } from '../format/frame-kernel.js';
import { withKernel } from '../format/kernel-pool.js';
import { walkSteps } from '../format/walk.js';
import type { ComparedFile, CopyFacts, CopyStatus } from '../policy/compare-verdict.js';
import { checkIndex } from './check-index.js';
import type { LogFile } from './copy-files.js';
import { listCopyFiles } from './copy-files.js';
import type { Problem } from './problem.js';
import { toProblem } from './problem.js';

export interface CopyReading {
  readonly facts: CopyFacts;
  /** Why the copy is `unreadable`. */
  readonly problems: readonly Problem[];
}

/**
 * Reads one copy of a segment as verification does, and takes the digests of its records and of its files.
 * Memory does not grow with the files. Yields how many bytes were read, now and then. What cannot be read
 * makes the copy `unreadable`.
 */
export function* readCopySteps(disk: Disk, path: string): Generator<number, CopyReading> {
  try {
    const { logFiles, fenced, problems } = listCopyFiles(disk, path);
    if (problems.length > 0) return unreadable(problems);
    const facts = yield* withKernel((kernel) => readFiles(disk, kernel, logFiles, fenced));
    return { facts, problems: [] };
  } catch (error) {
    return unreadable([toProblem(path, error)]);
  }
}

export function unreadable(problems: readonly Problem[]): CopyReading {
  return { facts: unmeasured('unreadable'), problems };
}

/** What is known of a copy that was not read. */
export function unmeasured(status: 'unreadable' | 'missing'): CopyFacts {
  const nothing = { fenced: null, records: null, bytes: null, digest: null, trailing: null };
  return { status, ...nothing, files: [] };
}

function* readFiles(
  disk: Disk,
  kernel: FrameKernel,
  logFiles: readonly LogFile[],
  fenced: boolean,
): Generator<number, CopyFacts> {
  const files: ComparedFile[] = [];
  let status: CopyStatus = logFiles.length === 0 ? 'empty' : 'ok';
  let digest = createHash('md5');
  let trailing = 0;
  for (const logFile of logFiles) {
    const before = files.length === 0 ? null : digest;
    const bytesBefore = sum(files, ({ size }) => size);
    const steps = withFileSteps(disk, logFile.path, (source) =>
      readFile(disk, kernel, source, logFile, before),
    );
    const read = yield* shifted(steps, bytesBefore);
    files.push(read.file);
    if (status === 'ok') status = read.status;
    digest = read.digest;
    trailing += read.trailing;
  }
  return {
    status,
    fenced,
    records: sum(files, ({ records }) => records),
    bytes: sum(files, ({ valid }) => valid),
    digest: digest.digest('hex'),
    trailing,
    files,
  };
}

/** The positions of one file as those of its copy. */
function* shifted<T>(steps: Generator<number, T>, by: number): Generator<number, T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    yield by + step.value;
  }
}

interface FileReading {
  readonly file: ComparedFile;
  readonly status: 'ok' | 'torn' | 'rot' | 'bad_index';
  /** Of the copy's valid prefixes up to and with this file's. */
  readonly digest: Hash;
  readonly trailing: number;
}

/** @param before the digest of the files before; `null` for the first, whose two digests start as one. */
function* readFile(
  disk: Disk,
  kernel: FrameKernel,
  source: FileSource,
  { path, baseOffset, indexed }: LogFile,
  before: Hash | null,
): Generator<number, FileReading> {
  const whole = createHash('md5');
  const sidecar = new SidecarBuilder(DEFAULT_INDEX_INTERVAL);
  const { halt, validBytes, state } = yield* walkSteps(source, kernel, {
    baseOffset,
    parse: false,
    ...(indexed && { sidecar }),
    onValidBytes: (bytes) => {
      whole.update(bytes);
      before?.update(bytes);
    },
  });
  if (halt === 'limit') throw new RangeError('a walk without a limit ended at one');
  const digest = before ?? whole.copy();
  const tail = classifyTail(halt, readTailShape(source, validBytes));
  const damaged = tail === 'torn' || tail === 'rot';
  const badIndex =
    indexed && !damaged && checkIndex(disk, path, source, validBytes, sidecar).status === 'bad';
  const trailing = yield* readTail(source, validBytes, whole);
  if (source.changed()) throw changed(path);
  return {
    file: {
      baseOffset,
      size: source.size,
      md5: whole.digest('hex'),
      records: state.records,
      valid: validBytes,
    },
    status: damaged ? tail : badIndex ? 'bad_index' : 'ok',
    digest,
    trailing,
  };
}

const PIECE_BYTES = 256 * 1024;

/** Takes the bytes behind the valid ones into the file's digest. @returns how many are not zero. */
function* readTail(source: FileSource, from: number, whole: Hash): Generator<number, number> {
  const buffer = Buffer.alloc(Math.min(PIECE_BYTES, source.size - from));
  let written = 0;
  for (let at = from; at < source.size; at += buffer.length) {
    const piece = buffer.subarray(0, Math.min(buffer.length, source.size - at));
    source.readInto(piece, at);
    whole.update(piece);
    if (!isAllZero(piece)) for (const byte of piece) if (byte !== 0) written++;
    yield at + piece.length;
  }
  return written;
}

function changed(path: string): StorageError {
  const message = `${path} was written to while it was read: stop the node, or compare copies of the files`;
  return new StorageError('ECHANGED', path, message);
}

function sum(files: readonly ComparedFile[], size: (file: ComparedFile) => number): number {
  return files.reduce((total, file) => total + size(file), 0);
}
