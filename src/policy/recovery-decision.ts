import type { TailAction } from '../format/tail.js';

/** What is known of a log's last file. Sizes in bytes. */
export interface RecoverableFile {
  readonly sealed: boolean;
  readonly fileBytes: number;
  readonly validBytes: number;
  readonly action: TailAction;
  /** Whole records behind the first unreadable byte. */
  readonly framesBeyond: number;
  /** The tail up to where the zeros behind it begin; as a node sees it, and really. */
  readonly writtenBytes: number;
  readonly allWrittenBytes: number;
}

export interface RecoveryOptions {
  /** Preallocation size that the node runs with, in bytes; 0 for none. */
  readonly preallocBytes: number;
  /** Also discard a tail with whole records in it. */
  readonly discardRecoverable: boolean;
}

/**
 * What recovery comes to:
 *
 * - `none`: nothing is to be done
 * - `discarded`: the torn tail goes
 * - `extended`: zeros up to the preallocation size
 * - `preserved`: damage that is kept, and appends are refused
 */
export type RecoveryOutcome = 'none' | 'discarded' | 'extended' | 'preserved';

/** What the tail becomes. */
export type TailChange =
  /** The file keeps its first bytes and has zeros from there to its new size. */
  | { readonly kind: 'cut'; readonly keepBytes: number; readonly sizeBytes: number }
  /** A range becomes zeros, and what stands behind it stays: a node blanks no more than it has seen. */
  | {
      readonly kind: 'blank';
      readonly fromByte: number;
      readonly toByte: number;
      readonly sizeBytes: number;
    };

export type RecoveryDecision =
  | {
      readonly kind: 'decided';
      readonly outcome: RecoveryOutcome;
      readonly change: TailChange | null;
      readonly afterBytes: number;
    }
  /** A node would do it, and the toolkit does not. */
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Decides what is to become of a log's last file: what a node's restart does (`action_for/2`, then the
 * extension to the preallocation size), except where that would lose whole records.
 */
export function decideRecovery(file: RecoverableFile, options: RecoveryOptions): RecoveryDecision {
  const { fileBytes, validBytes, action, framesBeyond } = file;
  const { preallocBytes, discardRecoverable } = options;
  if (action === 'preserve') return unchanged('preserved', fileBytes);
  const discards = action === 'discard_tail';
  if (discards && framesBeyond > 0 && !discardRecoverable) {
    const records =
      framesBeyond === 1 ? '1 whole record stands' : `${framesBeyond} whole records stand`;
    const next = 'salvage them first, or add --discard-recoverable';
    return { kind: 'refused', reason: `${records} behind the damage: ${next}` };
  }
  const truncates = discards && preallocBytes === 0;
  const keptBytes = truncates ? validBytes : fileBytes;
  const sizeBytes = file.sealed ? keptBytes : Math.max(keptBytes, preallocBytes);
  if (!discards) {
    if (sizeBytes === fileBytes) return unchanged('none', fileBytes);
    const change = { kind: 'cut', keepBytes: fileBytes, sizeBytes } as const;
    return { kind: 'decided', outcome: 'extended', change, afterBytes: sizeBytes };
  }
  const change: TailChange =
    !truncates && file.allWrittenBytes > file.writtenBytes
      ? {
          kind: 'blank',
          fromByte: validBytes,
          toByte: validBytes + file.writtenBytes,
          sizeBytes,
        }
      : { kind: 'cut', keepBytes: validBytes, sizeBytes };
  return { kind: 'decided', outcome: 'discarded', change, afterBytes: sizeBytes };
}

function unchanged(outcome: RecoveryOutcome, afterBytes: number): RecoveryDecision {
  return { kind: 'decided', outcome, change: null, afterBytes };
}
