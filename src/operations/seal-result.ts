import { join } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { isThere } from '../disk/durable.js';
import { MalachiError } from '../errors.js';
import { FENCE_MARKER } from '../format/names.js';
import type { SealOutcome } from '../policy/seal-decision.js';
import type { CopyToSeal, LookedAt } from './look-at-copy.js';
import { readSettlingNote } from './work-notes.js';

/** What of a copy goes: from this position in the first file to the end of the last. */
export interface CutRange {
  readonly firstFile: string;
  readonly position: number;
  readonly lastFile: string;
}

/** What settling one copy answered. Sizes in bytes; `null` for what was not measured. */
export interface SealResult {
  readonly replica: string;
  readonly segment: string;
  readonly startOffset: bigint;
  readonly endOffset: bigint;
  readonly outcome: SealOutcome;
  readonly heldRecords: number | null;
  readonly droppedRecords: number | null;
  readonly droppedBytes: number | null;
  /** Bytes that the records take which the copy is left with, up to the recorded end. */
  readonly byteSize: number | null;
  /** Files of the copy that were changed; in a dry run, that would be. 0 if it is as it should be. */
  readonly changedFiles: number;
  /** Whether the log is fenced as a whole; in a dry run, whether it would be. */
  readonly fenced: boolean | null;
  /** The quarantine entry; `null` if nothing had to be kept, or nothing was done. */
  readonly quarantine: string | null;
  readonly cut: CutRange | null;
  /** Why the copy is not settled. */
  readonly reason: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export function resultOf(
  copy: CopyToSeal,
  looked: LookedAt,
  quarantine: string | null,
): SealResult {
  const { decision, present } = looked;
  const keptBytes = decision.keep.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return {
    ...headOf(copy),
    outcome: decision.outcome,
    heldRecords: decision.heldRecords,
    droppedRecords: decision.droppedRecords,
    droppedBytes: looked.storedBytes - keptBytes,
    byteSize: decision.keptBytes,
    changedFiles: looked.changes.length,
    fenced: decision.fence || present.some(({ kind }) => kind === 'fence'),
    quarantine,
    cut: cutRange(looked),
    reason: decision.reason,
    error: null,
  };
}

/** The result for a copy that an error kept from being answered for, or from being settled. */
export function failedResult(
  disk: Disk,
  copy: CopyToSeal,
  { code, message, exitCode }: Pick<MalachiError, 'code' | 'message' | 'exitCode'>,
): SealResult {
  // What the system says of an open file names neither it nor the copy.
  const told = message.includes(copy.segment) ? message : `${copy.directory}: ${message}`;
  const isStale = code === 'EOUTDATED' || code === 'ECHANGED';
  const { directory } = copy;
  return {
    ...headOf(copy),
    outcome: isStale ? 'stale' : exitCode === 4 ? 'refused' : 'failed',
    heldRecords: null,
    droppedRecords: null,
    droppedBytes: null,
    byteSize: null,
    changedFiles: 0,
    fenced: orNull(() => isThere(disk, join(directory, FENCE_MARKER))),
    quarantine: orNull(() => readSettlingNote(disk, directory))?.quarantine ?? null,
    cut: null,
    reason: null,
    error: { code, message: told },
  };
}

function headOf(
  copy: CopyToSeal,
): Pick<SealResult, 'replica' | 'segment' | 'startOffset' | 'endOffset'> {
  const { replica, segment, seal } = copy;
  return { replica, segment, startOffset: seal.startOffset, endOffset: seal.endOffset };
}

/** What cannot be told after an error is not what the error is about. */
function orNull<T>(tell: () => T): T | null {
  try {
    return tell();
  } catch (error) {
    if (error instanceof MalachiError) return null;
    throw error;
  }
}

function cutRange({ decision }: LookedAt): CutRange | null {
  const shortened = decision.keep.filter(({ file, sizeBytes }) => sizeBytes < file.sizeBytes);
  const first = shortened[0]?.file ?? decision.remove[0];
  const last = decision.remove.at(-1) ?? shortened.at(-1)?.file;
  if (!first || !last) return null;
  return { firstFile: first.name, position: shortened[0]?.sizeBytes ?? 0, lastFile: last.name };
}
