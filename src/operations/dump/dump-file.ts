import type { Disk } from '../../disk/disk.js';
import { FileSource, withFile } from '../../disk/file-source.js';
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

/**
 * Yields the records of one file, and its damage where it meets it.
 *
 * @throws StorageError if it cannot be read, or (`ECHANGED`) was written to and then looks damaged.
 */
export function* dumpFileSteps(
  disk: Disk,
  target: FileTarget,
  { fromOffset, reverse, limit, progress }: DumpOptions,
): Generator<number | DumpedRecord | { readonly damage: FileDamage }, void> {
  const file = FileSource.open(disk, target.path);
  try {
    const source = new BufferedSource(file);
    const start = seek(disk, target, file, fromOffset);
    const reach = forwardOnly(file.size, (bytes) => progress?.advance(bytes), start);
    const positionOf = reverse ? positionsInReverse() : positionForwards;
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
      reach(positionOf(step.value));
      if (typeof step.value === 'number') {
        yield step.value;
      } else if (step.value.offset >= fromOffset) {
        yield { source, record: step.value };
      } else if (step.value.position >= skipped + BREATH_BYTES) {
        skipped = step.value.position;
        yield skipped;
      }
    }
    const damage = yield* damageSteps(target, file, end, reach);
    if (damage) yield { damage };
    reach(file.size);
  } finally {
    file.close();
  }
}

function positionForwards(step: number | StoredRecord): number {
  return typeof step === 'number' ? step : step.position;
}

/** In reverse the records are read twice: forwards to learn where they start, then backwards. */
function positionsInReverse(): (step: number | StoredRecord) => number {
  let end: number | null = null;
  return (step) => {
    if (typeof step === 'number') return step / 2;
    end ??= step.position + step.bytes;
    return end - step.position / 2;
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
  reach: (position: number) => void,
): Generator<number, FileDamage | null> {
  const verdict = integrityVerdict(halt, readTailShape(file, validBytes), sealed, false);
  if (!verdict) return null;
  const beyond = yield* heard(beyondSteps(file, validBytes + 1), reach);
  if (file.changed()) {
    const message = `${path} was written to while it was read: stop the node, or dump a copy of the file`;
    throw new StorageError('ECHANGED', path, message);
  }
  return { path, ...verdict, beyond };
}

/** Passes the positions on that work yields, and tells them. */
function* heard<T>(
  steps: Generator<number, T>,
  reach: (position: number) => void,
): Generator<number, T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    reach(step.value);
    yield step.value;
  }
}
