import { readU32 } from './frame-header.js';

/** What the frames read so far add up to; a kernel advances it frame by frame. */
export class ScanState {
  readonly baseOffset: bigint;
  records = 0;
  /** Offsets that the first and the last payload carry; `null` before the first frame. */
  firstOffset: bigint | null = null;
  lastOffset: bigint | null = null;
  /** Frames whose payload carries another offset than base offset + position in the file. */
  outOfSequence = 0;
  firstOutOfSequencePosition: number | null = null;

  /** @param baseOffset offset of the file's first record, 0 to 2^64-1. */
  constructor(baseOffset: bigint) {
    this.baseOffset = baseOffset;
  }

  /** Offset that the next frame has by its position in the file, whatever its payload says. */
  get nextOffset(): bigint {
    return this.baseOffset + BigInt(this.records);
  }

  /** Takes one good frame whose payload begins with `payload` (8 bytes or more). */
  account(payload: Uint8Array, position: number): void {
    const offset = (BigInt(readU32(payload, 0)) << 32n) | BigInt(readU32(payload, 4));
    if (offset !== this.nextOffset) {
      this.outOfSequence++;
      this.firstOutOfSequencePosition ??= position;
    }
    this.firstOffset ??= offset;
    this.lastOffset = offset;
    this.records++;
  }
}
