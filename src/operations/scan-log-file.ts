import type { Disk } from '../disk/disk.js';
import type { FileSource } from '../disk/file-source.js';
import { withFileSteps } from '../disk/file-source.js';
import { StorageError } from '../errors.js';
import type { ByteSource } from '../format/byte-source.js';
import type { FrameKernel } from '../format/frame-kernel.js';
import { withKernel } from '../format/kernel-pool.js';
import { beyondSteps } from '../format/resync.js';
import { DEFAULT_INDEX_INTERVAL, SidecarBuilder } from '../format/sidecar.js';
import { classifyTail, readTailShape } from '../format/tail.js';
import type { WalkResult } from '../format/walk.js';
import { walkSteps } from '../format/walk.js';
import type { ScannedLogFile } from '../policy/seal-decision.js';

/** A scanned log file, and the sidecars that it is due. */
export interface ScannedWithSidecars extends ScannedLogFile {
  /** The index of all its records. */
  readonly sidecar: Uint8Array;
  /** The index of those below the end. */
  readonly sidecarBelowEnd: Uint8Array;
}

/**
 * Reads a log file as recovery does, and finds where the records below `endOffset` end. Yields the position
 * reached, now and then.
 *
 * @throws StorageError if it cannot be read, or (`ECHANGED`) was written to meanwhile.
 */
export function scanLogFileSteps(
  disk: Disk,
  path: string,
  name: string,
  baseOffset: bigint,
  endOffset: bigint,
): Generator<number, ScannedWithSidecars> {
  return withFileSteps(disk, path, (source) =>
    withKernel((kernel) => scan(source, kernel, { path, name, baseOffset, endOffset })),
  );
}

interface Scanned {
  readonly path: string;
  readonly name: string;
  readonly baseOffset: bigint;
  readonly endOffset: bigint;
}

function* scan(
  source: FileSource,
  kernel: FrameKernel,
  { path, name, baseOffset, endOffset }: Scanned,
): Generator<number, ScannedWithSidecars> {
  const whole = yield* walk(source, kernel, baseOffset, Infinity);
  if (whole.halt === 'limit') throw new RangeError('a walk without a limit ended at one');
  const { records } = whole.state;
  const wanted = endOffset - baseOffset;
  const recordsBelowEnd = wanted >= BigInt(records) ? records : Math.max(0, Number(wanted));
  const below =
    recordsBelowEnd === records ? whole : yield* walk(source, kernel, baseOffset, recordsBelowEnd);

  const shape = readTailShape(source, whole.validBytes);
  const classification = classifyTail(whole.halt, shape);
  const isTorn = classification === 'torn';
  const beyond = isTorn
    ? yield* beyondSteps(source, whole.validBytes + 1, undefined, kernel)
    : null;
  if (source.changed()) {
    throw new StorageError('ECHANGED', path, `${path} was written to while it was read`);
  }
  return {
    name,
    baseOffset,
    sizeBytes: source.size,
    records,
    validBytes: whole.validBytes,
    recordsBelowEnd,
    bytesBelowEnd: below.validBytes,
    classification,
    framesBeyond: beyond?.frames ?? 0,
    sidecar: whole.sidecar,
    sidecarBelowEnd: below.sidecar,
  };
}

function* walk(
  source: ByteSource,
  kernel: FrameKernel,
  baseOffset: bigint,
  recordLimit: number,
): Generator<number, WalkResult & { readonly sidecar: Uint8Array }> {
  const builder = new SidecarBuilder(DEFAULT_INDEX_INTERVAL);
  const options = { baseOffset, parse: true, recordLimit, sidecar: builder };
  const result = yield* walkSteps(source, kernel, options);
  return { ...result, sidecar: builder.bytes() };
}
