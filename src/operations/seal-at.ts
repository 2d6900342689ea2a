import type { Disk } from '../disk/disk.js';
import { requireUnused } from '../disk/in-use.js';
import { MalachiError } from '../errors.js';
import { applyChanges, removeTemporaries } from './apply-changes.js';
import { listForChange } from './copy-directory.js';
import type { CopyToSeal, LookedAt } from './look-at-copy.js';
import { lookSteps, requireSame } from './look-at-copy.js';
import { entryCovers } from './quarantine-cover.js';
import type { EndangeredCopy } from './quarantine-entry.js';
import { quarantineCopy } from './quarantine-entry.js';
import type { SealResult } from './seal-result.js';
import { failedResult, resultOf } from './seal-result.js';
import { removeNotes, writeSettlingNote } from './work-notes.js';

export interface SealOptions {
  /** Change the copy; else only tell what would be done. */
  readonly apply: boolean;
  /** The quarantine's directory, as `resolveQuarantine` gives it; `null` to keep nothing. */
  readonly quarantine: string | null;
  /** Also give up rot behind the recorded end. */
  readonly dropRot: boolean;
  /** Go on where open files cannot be checked for. */
  readonly assumeUnused: boolean;
}

/**
 * Brings one copy down to its recorded end and fences it there (`seal_at`), or tells why not. Reads in steps,
 * which can be ended at any of them; then changes the copy in one go. If that is cut short, the next call
 * finishes it. Never throws an expected error: it is the result's.
 */
export function* sealAtSteps(
  disk: Disk,
  copy: CopyToSeal,
  options: SealOptions,
): Generator<number, SealResult> {
  let looked: LookedAt;
  try {
    looked = yield* lookSteps(disk, copy, options.dropRot);
  } catch (error) {
    if (!(error instanceof MalachiError)) throw error;
    return failedResult(disk, copy, error);
  }
  return sealLookedAt(disk, copy, looked, options);
}

/** The same for a copy that has been read: changes it, unless it is only to be told, or has changed since. */
export function sealLookedAt(
  disk: Disk,
  copy: CopyToSeal,
  looked: LookedAt,
  options: SealOptions,
): SealResult {
  try {
    const quarantine = options.apply ? apply(disk, copy, looked, options) : null;
    return resultOf(copy, looked, quarantine);
  } catch (error) {
    if (!(error instanceof MalachiError)) throw error;
    return failedResult(disk, copy, error);
  }
}

/** Quarantine first, then a note of what is being done, then the changes; the note goes last. */
function apply(
  disk: Disk,
  copy: CopyToSeal,
  { present, changes, unfinished }: LookedAt,
  options: SealOptions,
): string | null {
  const { directory, seal } = copy;
  if (changes.length === 0 && !unfinished) return null;
  requireUnused(disk, [directory], options.assumeUnused);
  requireSame(copy, present, listForChange(disk, copy.logRoot, directory));
  let quarantine = unfinished?.quarantine ?? null;
  if (changes.length > 0) {
    const endangered = { ...copy, operation: 'settle', node: copy.replica, present, changes };
    quarantine = keep(disk, endangered, quarantine, options.quarantine);
    writeSettlingNote(disk, directory, { ...seal, quarantine });
    applyChanges(disk, directory, changes);
  }
  removeTemporaries(disk, directory);
  removeNotes(disk, directory);
  return quarantine;
}

function keep(
  disk: Disk,
  copy: EndangeredCopy,
  earlierEntry: string | null,
  quarantine: string | null,
): string | null {
  if (earlierEntry !== null && entryCovers(disk, earlierEntry, copy)) return earlierEntry;
  return quarantine === null ? null : quarantineCopy(disk, quarantine, copy, new Date());
}
