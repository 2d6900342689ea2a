import type { Disk } from '../../disk/disk.js';
import type { FileSource } from '../../disk/file-source.js';
import { withFile, withFileSteps } from '../../disk/file-source.js';
import { StorageError } from '../../errors.js';
import { BufferedSource } from '../../format/buffered-source.js';
import type { ByteSource } from '../../format/byte-source.js';
import { readBytes } from '../../format/byte-source.js';
import { FRAME_HEADER_BYTES } from '../../format/frame.js';
import type { ChainEnd } from '../../format/frame-chain.js';
import { readChain } from '../../format/frame-chain.js';
import { seekByIndex } from '../../format/index-seek.js';
import type { Beyond } from '../../format/resync.js';
import { beyondSteps } from '../../format/resync.js';
import type { StoredRecord } from '../../format/stored-record.js';
import type { IntegrityVerdict } from '../../format/tail.js';
import { integrityVerdict, readTailShape } from '../../format/tail.js';
import { sidecarPath } from '../check-index.js';
import type { FileTarget } from '../inspect-targets.js';
import { forwardOnly } from '../progress.js';
import type { DumpOptions } from './dump.js';
import { reverseSteps } from './reverse.js';

/** A record and the source that its fields lie in. */
export interface DumpedRecord {
  readonly source: ByteSource;
  readonly record: StoredRecord;
}

/** Where the readable records of a file end, though its bytes do not. */
export interface FileDamage extends IntegrityVerdict {
  readonly path: string;
  /** The valid frames behind the damage. */
  readonly beyond: Beyond;
}

const MAX_U64 = 0xffff_ffff_ffff_ffffn;
/** Records that are not wanted are passed over silently, but for one in so many bytes. */
const BREATH_BYTES = 64 * 1024;

type DumpStep = number | DumpedRecord | { readonly damage: FileDamage };

/**
 * Yields the records of one file, and its damage where it meets it.
 *
 * @throws StorageError if it cannot be read, or (`ECHANGED`) was written to and then looks damaged.
 */
export function dumpFileSteps(
  disk: Disk,
  target: FileTarget,
  options: DumpOptions,
): Generator<DumpStep, void> {
  return withFileSteps(disk, target.path, function* (file) {
    const start = seek(disk, target, file, options.fromOffset);
    const reach = forwardOnly(file.size, (bytes) => options.progress?.advance(bytes), start);
    const positionOf = options.reverse ? positionsInReverse() : positionForwards;
    for (const step of readSteps(disk, target, file, start, options)) {
      reach(positionOf(step));
      yield step;
    }
    reach(file.size);
  });
}

function* readSteps(
  disk: Disk,
  target: FileTarget,
  file: FileSource,
  start: number,
  { fromOffset, reverse, limit }: DumpOptions,
): Generator<DumpStep, void> {
  const source = new BufferedSource(file);
  const records = reverse
    ? reverseSteps(source, start, Math.max(start, seekBack(disk, target, file, limit)))
    : readChain(source, start);
  let end: ChainEnd | null = null;
  /** Position of the last skipped record that was told. */
  let skipped = start;
  for (;;) {
    const step = records.next();
    if (step.done === true) {
      end = step.value;
      break;
    }
    if (typeof step.value === 'number') {
      yield step.value;
    } else if (step.value.offset >= fromOffset) {
      yield { source, record: step.value };
    } else if (Math.abs(step.value.position - skipped) >= BREATH_BYTES) {
      skipped = step.value.position;
      yield skipped;
    }
  }
  const damage = yield* damageSteps(target, file, end);
  if (damage) yield { damage };
}

/** How far a file is read; what is told of a damage comes last. */
function positionForwards(step: DumpStep): number {
  if (typeof step === 'number') return step;
  return 'record' in step ? step.record.position : 0;
}

/** In reverse the records are read twice: forwards to learn where they start, then backwards. */
function positionsInReverse(): (step: DumpStep) => number {
  let end: number | null = null;
  return (step) => {
    // Behind the records a next one is looked for.
    if (typeof step === 'number') return end === null ? step / 2 : step;
    if (!('record' in step)) return 0;
    const { position, bytes } = step.record;
    end ??= position + bytes;
    return end - position / 2;
  };
}

function seek(disk: Disk, target: FileTarget, file: FileSource, offset: bigint): number {
  if (!target.indexed || offset <= target.baseOffset) return 0;
  try {
    return withFile(disk, sidecarPath(target.path), (sidecar) =>
      seekByIndex(file, sidecar, target.baseOffset, offset),
    );
  } catch (error) {
    // An index only saves time: without it the file is read from its start.
    if (error instanceof StorageError) return 0;
    throw error;
  }
}

/** Where a frame starts with so many records from it to the end, as good as always; 0 if it is not known. */
function seekBack(disk: Disk, target: FileTarget, file: FileSource, records: number): number {
  if (!Number.isFinite(records)) return 0;
  const last = seek(disk, target, file, MAX_U64);
  if (last === 0) return 0;
  const offset = readBytes(file, last + FRAME_HEADER_BYTES, 8);
  const lastOffset = Buffer.from(offset.buffer).readBigUInt64BE(0);
  const before = lastOffset - BigInt(records);
  return before > 0n ? seek(disk, target, file, before) : 0;
}

function* damageSteps(
  { path, sealed }: FileTarget,
  file: FileSource,
  { halt, validBytes }: ChainEnd,
): Generator<number, FileDamage | null> {
  const verdict = integrityVerdict(halt, readTailShape(file, validBytes), sealed, false);
  if (!verdict) return null;
  const beyond = yield* beyondSteps(file, validBytes + 1);
  if (file.changed()) {
    const message = `${path} was written to while it was read: stop the node, or dump a copy of the file`;
    throw new StorageError('ECHANGED', path, message);
  }
  return { path, ...verdict, beyond };
}
