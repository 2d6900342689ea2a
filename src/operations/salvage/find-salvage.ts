import { BufferedSource } from '../../format/buffered-source.js';
import type { ByteSource } from '../../format/byte-source.js';
import { isAllZero, readBytes } from '../../format/byte-source.js';
import { DamagedRecords } from '../../format/damaged-record.js';
import type { FoundFrame } from '../../format/resync.js';
import { findFrames } from '../../format/resync.js';
import { SalvageLedger } from './ledger.js';
import type { SalvageFindings } from './ledger.js';

export interface SalvageOptions {
  /** Also keep the valid frames that are not in sequence, or lie inside a damaged record. */
  readonly includeOutOfSequence: boolean;
}

/**
 * Yields every valid frame of a file that is to be kept, in order, and numbers (the position reached) in
 * between. A frame is left out if its offset is not above the last one kept, or if it lies inside the bytes
 * of a damaged record: then it is a part of that record's value.
 */
export function* findSalvageSteps(
  source: ByteSource,
  { includeOutOfSequence }: SalvageOptions,
): Generator<FoundFrame | number, SalvageFindings> {
  const ledger = new SalvageLedger(includeOutOfSequence);
  const damaged = new DamagedRecords(new BufferedSource(source));
  /** Where the last frame ended: behind it a damage starts, if the next frame does not. */
  let end = 0;
  /** Where the damaged records that follow it end, as far as that can be told. */
  let damagedEnd = 0;
  let from: number | null = 0;
  while (from !== null) {
    const frames: Generator<FoundFrame | number, void> = findFrames(source, from);
    from = null;
    for (const found of frames) {
      if (typeof found === 'number') {
        yield found;
        continue;
      }
      damagedEnd = skipDamaged(damaged, damagedEnd, found.position);
      const frameEnd = found.position + found.bytes;
      if (found.position < damagedEnd) {
        if (ledger.takeInside(found)) yield found;
        if (frameEnd <= damagedEnd) continue;
        // It reaches past the record that it lies in, and may hide the next one.
        from = damagedEnd;
        break;
      }
      if (found.position > end) ledger.addDamage(end, found.position - end);
      if (ledger.take(found)) yield found;
      end = frameEnd;
      damagedEnd = frameEnd;
    }
  }
  const blankTailBytes = (yield* isBlankFrom(source, end)) ? source.size - end : 0;
  if (blankTailBytes === 0 && end < source.size) ledger.addDamage(end, source.size - end);
  return ledger.findings(blankTailBytes);
}

/** Goes from the end of one damaged record to the next, up to `position` or past it if it can be told. */
function skipDamaged(damaged: DamagedRecords, from: number, position: number): number {
  let at = from;
  while (at < position) {
    const next = damaged.endOf(at);
    if (next === null) return at;
    at = next;
  }
  return at;
}

const PIECE_BYTES = 1024 * 1024;

/** Whether nothing but zeros, two or more, follows: then it is unwritten space. */
function* isBlankFrom(source: ByteSource, from: number): Generator<number, boolean> {
  if (source.size - from < 2) return false;
  for (let at = from; at < source.size; at += PIECE_BYTES) {
    const length = Math.min(PIECE_BYTES, source.size - at);
    if (!isAllZero(readBytes(source, at, length))) return false;
    yield at + length;
  }
  return true;
}
