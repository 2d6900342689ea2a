import type { Disk } from '../disk/disk.js';
import type { FileSource } from '../disk/file-source.js';
import { withFileSteps } from '../disk/file-source.js';
import { StorageError } from '../errors.js';
import type { FrameKernel } from '../format/frame-kernel.js';
import { withKernel } from '../format/kernel-pool.js';
import type { Beyond } from '../format/resync.js';
import { beyondSteps } from '../format/resync.js';
import { DEFAULT_INDEX_INTERVAL, SidecarBuilder } from '../format/sidecar.js';
import type { IntegrityVerdict, TailAction, TailClass, TailShape } from '../format/tail.js';
import { actionFor, classifyTail, integrityVerdict, readTailShape } from '../format/tail.js';
import type { Halt } from '../format/walk.js';
import { walkSteps } from '../format/walk.js';
import { checkIndex, sidecarPath } from './check-index.js';
import type { DamageView } from './damage-view.js';
import { readDamageView } from './damage-view.js';
import type { FileMap } from './file-map.js';
import { FileMapBuilder } from './file-map.js';
import type { FileTarget } from './inspect-targets.js';
import type { Problem } from './problem.js';
import { orProblem } from './problem.js';

/** How the payloads' offsets agree with base offset + position in the file. */
export interface OffsetReport {
  readonly first: bigint | null;
  readonly last: bigint | null;
  readonly outOfSequence: number;
  readonly firstOutOfSequencePosition: number | null;
}

/** What a sidecar index is worth; `unchecked` where the frames are damaged or it could not be read. */
export interface IndexReport {
  readonly status: 'ok' | 'absent' | 'bad' | 'unchecked';
  readonly entries: number | null;
  readonly detail: 'trailing_bytes' | 'entry' | null;
  readonly position: bigint | null;
}

/** The node's verdict on one file, and beside it what the bytes still hold. Sizes in bytes. */
export interface FileReport {
  readonly path: string;
  readonly segment: string;
  readonly baseOffset: bigint;
  readonly sealed: boolean;
  readonly fenced: boolean;
  readonly fileBytes: number;
  readonly validBytes: number;
  readonly records: number;
  readonly nextOffset: bigint;
  readonly halt: Halt;
  readonly classification: TailClass;
  readonly action: TailAction;
  readonly tail: TailShape;
  readonly integrity: IntegrityVerdict | null;
  readonly beyond: Beyond | null;
  readonly offsets: OffsetReport;
  readonly index: IndexReport;
  readonly map?: FileMap;
  readonly hex?: DamageView;
}

export interface InspectFileOptions {
  /** Preallocation size that the node runs with, in bytes; 0 for none. */
  readonly preallocBytes: number;
  /** Add the picture of the file. */
  readonly map?: boolean;
  /** Add the bytes around the damage. */
  readonly hex?: boolean;
}

export interface InspectedFile {
  readonly report: FileReport;
  /** What went wrong beside the file: its sidecar could not be read. */
  readonly problems: readonly Problem[];
}

/**
 * Looks at one file as a node's recovery does, and behind the damage. Changes nothing. Yields the
 * position reached, now and then.
 *
 * @throws StorageError if the file cannot be read, or (`ECHANGED`) if it was written to meanwhile and
 *   what was seen is no sound base for calling it damaged.
 */
export function inspectFileSteps(
  disk: Disk,
  target: FileTarget,
  options: InspectFileOptions,
): Generator<number, InspectedFile> {
  return withFileSteps(disk, target.path, (source) =>
    withKernel((kernel) => inspectSource(disk, source, kernel, target, options)),
  );
}

function* inspectSource(
  disk: Disk,
  source: FileSource,
  kernel: FrameKernel,
  target: FileTarget,
  options: InspectFileOptions,
): Generator<number, InspectedFile> {
  const { baseOffset, sealed } = target;
  const problems: Problem[] = [];
  const builder = target.indexed ? new SidecarBuilder(DEFAULT_INDEX_INTERVAL) : undefined;
  const { halt, validBytes, state } = yield* walkSteps(source, kernel, {
    baseOffset,
    parse: true,
    ...(builder && { sidecar: builder }),
  });
  if (halt === 'limit') throw new RangeError('a walk without a limit ended at one');

  const tail = readTailShape(source, validBytes);
  const classification = classifyTail(halt, tail);
  const damaged = classification === 'torn' || classification === 'rot';
  const map = options.map === true ? new FileMapBuilder(source.size, validBytes) : null;
  const beyond = damaged
    ? yield* beyondSteps(source, validBytes + 1, (frame) => map?.recoverable(frame), kernel)
    : null;
  const index =
    builder && !damaged ? indexOf(disk, target.path, source, validBytes, builder, problems) : null;
  if ((damaged || index?.status === 'bad') && source.changed()) throw changed(target.path);

  const report: FileReport = {
    path: target.path,
    segment: target.segment,
    baseOffset,
    sealed,
    fenced: target.fenced,
    fileBytes: source.size,
    validBytes,
    records: state.records,
    nextOffset: state.nextOffset,
    halt,
    classification,
    action: actionFor(classification, sealed),
    tail,
    integrity: integrityVerdict(halt, tail, sealed, options.preallocBytes > 0),
    beyond,
    offsets: {
      first: state.firstOffset,
      last: state.lastOffset,
      outOfSequence: state.outOfSequence,
      firstOutOfSequencePosition: state.firstOutOfSequencePosition,
    },
    index: index ?? indexReport(target.indexed ? 'unchecked' : 'absent', null),
    ...(map && { map: map.finish(classification, source) }),
    ...(options.hex === true && damaged && { hex: readDamageView(source, validBytes) }),
  };
  return { report, problems };
}

function indexOf(
  disk: Disk,
  path: string,
  source: FileSource,
  validBytes: number,
  builder: SidecarBuilder,
  problems: Problem[],
): IndexReport | null {
  const verdict = orProblem(sidecarPath(path), problems, () =>
    checkIndex(disk, path, source, validBytes, builder),
  );
  if (verdict?.status !== 'bad') return verdict && indexReport('ok', verdict.entries);
  const { status, entries, detail, position } = verdict;
  return { status, entries, detail, position };
}

function indexReport(status: IndexReport['status'], entries: number | null): IndexReport {
  return { status, entries, detail: null, position: null };
}

function changed(path: string): StorageError {
  const message = `${path} was written to while it was read: stop the node, or look at a copy of the file`;
  return new StorageError('ECHANGED', path, message);
}
