import { BufferedSource } from '../../format/buffered-source.js';
import type { ByteSource } from '../../format/byte-source.js';
import { isAllZero, readBytes } from '../../format/byte-source.js';
import { DamagedRecords } from '../../format/damaged-record.js';
import { createKernel } from '../../format/frame-kernel.js';
import type { FoundFrame } from '../../format/resync.js';
import { findFrames } from '../../format/resync.js';
import { SalvageLedger } from './ledger.js';
import type { SalvageFindings } from './ledger.js';

export interface SalvageOptions {
  /** Also keep the valid frames that are not in sequence, or lie inside a damaged record. */
  readonly includeOutOfSequence: boolean;
  /** Offset of the file's first record, if its name tells. */
  readonly baseOffset: bigint | null;
}

/**
 * Yields every valid frame of a file that is to be kept, in order, and numbers (the position reached) in
 * between. A frame is left out if its offset is not above the last one kept, or if it lies inside the bytes
 * of a damaged record: then it is a part of that record's value.
 */
export function* findSalvageSteps(
  source: ByteSource,
  { includeOutOfSequence, baseOffset }: SalvageOptions,
): Generator<FoundFrame | number, SalvageFindings> {
  const kernel = createKernel();
  const ledger = new SalvageLedger(includeOutOfSequence, baseOffset);
  const damaged = new DamagedRecords(new BufferedSource(source));
  /** Where the last frame ended: behind it a damage starts, if the next frame does not. */
  let end = 0;
  /** Where the damaged records that follow it end, as far as that can be told. */
  let damagedEnd = 0;
  let from: number | null = 0;
  while (from !== null) {
    const frames: Generator<FoundFrame | number, void> = findFrames(source, from, kernel);
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
  const writtenEnd = yield* endOfWritten(source, end);
  // A single zero byte is a frame that was begun.
  const damageEnd = writtenEnd === end && source.size - end === 1 ? source.size : writtenEnd;
  if (damageEnd > end) ledger.addDamage(end, damageEnd - end);
  return ledger.findings(source.size - damageEnd);
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

/** Where the last byte that is not zero ends; `from` if all are. */
function* endOfWritten(source: ByteSource, from: number): Generator<number, number> {
  let end = from;
  for (let at = from; at < source.size; at += PIECE_BYTES) {
    const piece = readBytes(source, at, Math.min(PIECE_BYTES, source.size - at));
    if (!isAllZero(piece)) end = at + piece.findLastIndex((byte) => byte !== 0) + 1;
    yield at + piece.length;
  }
  return end;
}
