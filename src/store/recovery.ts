import type { Disk } from '../disk/disk.js';
import type { ByteSource } from '../format/byte-source.js';
import type { FrameKernel } from '../format/frame-kernel.js';
import type { ScanState } from '../format/scan-state.js';
import type { SidecarBuilder } from '../format/sidecar.js';
import type { IntegrityVerdict, TailAction, TailClass, TailShape } from '../format/tail.js';
import { actionFor, classifyTail, integrityVerdict, readTailShape } from '../format/tail.js';
import type { Halt } from '../format/walk.js';
import { walkSteps, zerosReachEnd } from '../format/walk.js';
import { writeZeros } from './preallocation.js';

/** What recovery found in a file, before it changed anything. Sizes and positions in bytes. */
export interface RecoveryReport {
  readonly fileBytes: number;
  /** Where the last good frame ended. */
  readonly validBytes: number;
  readonly halt: Halt;
  /** Records, offsets, and offsets out of sequence. */
  readonly state: ScanState;
  readonly shape: TailShape;
  readonly classification: TailClass;
  readonly action: TailAction;
  /** `null` for clean and blank. */
  readonly integrity: IntegrityVerdict | null;
  readonly sealed: boolean;
  /** A preallocating store discards one window of the tail; this one has more than zeros behind it. */
  readonly discardLeavesData: boolean;
}

export interface RecoveryScanOptions {
  readonly kernel: FrameKernel;
  readonly baseOffset: bigint;
  readonly sealed: boolean;
  /** The store runs with preallocation: a blank tail is then not unreadable. */
  readonly preallocates: boolean;
  readonly sidecar: SidecarBuilder;
}

/**
 * Scans a file and says what recovery may do about its tail; changes nothing. Yields positions.
 *
 * @throws StorageError if the file cannot be read; that is never taken for damage.
 */
export function* recoveryScanSteps(
  source: ByteSource,
  options: RecoveryScanOptions,
): Generator<number, RecoveryReport> {
  const { kernel, baseOffset, sealed, preallocates, sidecar } = options;
  const walk = yield* walkSteps(source, kernel, { baseOffset, parse: true, sidecar });
  const { validBytes, state } = walk;
  // Without a record limit a walk ends for no other reason than the file's.
  const halt = walk.halt === 'limit' ? 'eof' : walk.halt;
  const shape = readTailShape(source, validBytes);
  const classification = classifyTail(halt, shape);
  const action = actionFor(classification, sealed);
  const isPartial = action === 'discard_tail' && preallocates;
  const zerosFrom = validBytes + shape.writtenBytes;
  return {
    fileBytes: source.size,
    validBytes,
    halt,
    state,
    shape,
    classification,
    action,
    integrity: integrityVerdict(halt, shape, sealed, preallocates),
    sealed,
    discardLeavesData: isPartial && !(yield* zerosReachEnd(source, kernel.window, zerosFrom)),
  };
}

/** Gives up a torn tail, durably. @throws StorageError */
export function discardTail(
  disk: Disk,
  fd: number,
  report: RecoveryReport,
  preallocates: boolean,
): void {
  const { validBytes, shape } = report;
  if (preallocates) blankTail(disk, fd, validBytes, shape.writtenBytes);
  else disk.truncate(fd, validBytes);
  disk.sync(fd);
}

const CHECKSUM_AT = 6;
const LENGTH_AT = 2;
const PAYLOAD_AT = 10;

/**
 * Overwrites the written part of a torn tail with zeros, in an order that leaves a torn tail whenever a crash
 * interrupts it: the payload, then the checksum, then the length, the magic last. From front to back, a crash
 * would leave a hole with data behind it, which the next recovery calls rot and preserves.
 */
function blankTail(disk: Disk, fd: number, position: number, writtenBytes: number): void {
  const end = position + writtenBytes;
  writeZeros(disk, fd, position + PAYLOAD_AT, end);
  disk.sync(fd);
  for (const [from, to] of [
    [CHECKSUM_AT, PAYLOAD_AT],
    [LENGTH_AT, CHECKSUM_AT],
    [0, LENGTH_AT],
  ] as const) {
    writeZeros(disk, fd, position + from, Math.min(end, position + to));
  }
}
