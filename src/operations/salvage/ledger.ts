import type { FoundFrame } from '../../format/resync.js';

/** Of each kind of finding so many are listed one by one, at most; all are counted. */
const LISTED = 1000;

/** Bytes between two good frames, or behind the last one, that are none. */
export interface SalvageDamage {
  readonly position: number;
  readonly bytes: number;
}

/**
 * - `not_above_last`: its offset is not above that of the last frame kept
 * - `inside_damaged_record`: it lies in the bytes of a damaged record, as a part of its value
 */
export type OutOfSequenceReason = 'not_above_last' | 'inside_damaged_record';

export interface OutOfSequenceFrame extends FoundFrame {
  readonly reason: OutOfSequenceReason;
}

/** Offsets that the kept records pass over, ends included. */
export interface OffsetGap {
  readonly first: bigint;
  readonly last: bigint;
}

/** Counts are of all; lists hold the first 1000. */
export interface SalvageFindings {
  readonly records: number;
  /** Of the frames kept. */
  readonly bytes: number;
  readonly firstOffset: bigint | null;
  readonly lastOffset: bigint | null;
  readonly damaged: {
    readonly count: number;
    readonly bytes: number;
    readonly list: readonly SalvageDamage[];
  };
  readonly outOfSequence: {
    readonly count: number;
    /** They were asked for, and are among the records. */
    readonly kept: boolean;
    readonly list: readonly OutOfSequenceFrame[];
  };
  /** Offsets that are missing in front of and between the records in sequence. */
  readonly missing: { readonly offsets: bigint; readonly list: readonly OffsetGap[] };
  /** Zeros at the end of the file. */
  readonly blankTailBytes: number;
}

/** Decides frame by frame what is kept, and keeps the books. */
export class SalvageLedger {
  readonly #keepAll: boolean;
  #records = 0;
  #bytes = 0;
  #first: bigint | null = null;
  #last: bigint | null = null;
  #lastInSequence: bigint | null = null;
  #due: bigint | null;
  #outOfSequence = 0;
  #missing = 0n;
  #damages = 0;
  #damagedBytes = 0;
  readonly #frameList: OutOfSequenceFrame[] = [];
  readonly #gapList: OffsetGap[] = [];
  readonly #damageList: SalvageDamage[] = [];

  /** @param firstDue the offset that the first record is to carry, if that is known. */
  constructor(keepAll: boolean, firstDue: bigint | null) {
    this.#keepAll = keepAll;
    this.#due = firstDue;
  }

  /** Takes a frame that stands where one may. @returns whether it is kept. */
  take(frame: FoundFrame): boolean {
    const last = this.#lastInSequence;
    if (last !== null && frame.offset <= last) return this.#takeOther(frame, 'not_above_last');
    if (this.#due !== null && frame.offset > this.#due) {
      this.#missing += frame.offset - this.#due;
      list(this.#gapList, { first: this.#due, last: frame.offset - 1n });
    }
    this.#lastInSequence = frame.offset;
    this.#due = frame.offset + 1n;
    this.#keep(frame);
    return true;
  }

  /** Takes a frame that lies inside a damaged record. @returns whether it is kept. */
  takeInside(frame: FoundFrame): boolean {
    return this.#takeOther(frame, 'inside_damaged_record');
  }

  addDamage(position: number, bytes: number): void {
    this.#damages++;
    this.#damagedBytes += bytes;
    list(this.#damageList, { position, bytes });
  }

  findings(blankTailBytes: number): SalvageFindings {
    return {
      records: this.#records,
      bytes: this.#bytes,
      firstOffset: this.#first,
      lastOffset: this.#last,
      damaged: { count: this.#damages, bytes: this.#damagedBytes, list: this.#damageList },
      outOfSequence: {
        count: this.#outOfSequence,
        kept: this.#keepAll && this.#outOfSequence > 0,
        list: this.#frameList,
      },
      missing: { offsets: this.#missing, list: this.#gapList },
      blankTailBytes,
    };
  }

  #takeOther(frame: FoundFrame, reason: OutOfSequenceReason): boolean {
    this.#outOfSequence++;
    list(this.#frameList, { ...frame, reason });
    if (this.#keepAll) this.#keep(frame);
    return this.#keepAll;
  }

  #keep({ offset, bytes }: FoundFrame): void {
    this.#records++;
    this.#bytes += bytes;
    this.#first ??= offset;
    this.#last = offset;
  }
}

function list<T>(findings: T[], finding: T): void {
  if (findings.length < LISTED) findings.push(finding);
}

/** Whether the file was not whole, or not in sequence. */
export function hasSalvageFinding(findings: SalvageFindings): boolean {
  return (
    findings.damaged.count > 0 || findings.outOfSequence.count > 0 || findings.missing.offsets > 0n
  );
}
