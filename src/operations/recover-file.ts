import { basename } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { withFile } from '../disk/file-source.js';
import { requireUnused } from '../disk/in-use.js';
import { RefusedError } from '../errors.js';
import { readBytes } from '../format/byte-source.js';
import type { Beyond } from '../format/resync.js';
import type { TailAction, TailClass } from '../format/tail.js';
import type { FileChange } from '../policy/copy-change.js';
import type { RecoveryOutcome, TailChange } from '../policy/recovery-decision.js';
import { decideRecovery } from '../policy/recovery-decision.js';
import { applyChanges } from './apply-changes.js';
import type { PresentFile } from './copy-directory.js';
import type { CopyPlace } from './copy-targets.js';
import { listPlace, placeOf, requireUnchanged } from './copy-targets.js';
import { writtenEnd } from './file-pieces.js';
import { finishRecovery } from './finish-recovery.js';
import { inspectFileSteps } from './inspect-file.js';
import type { FileTarget } from './inspect-targets.js';
import { quarantineCopy } from './quarantine-entry.js';
import { removeNotes, writeRecoveringNote } from './work-notes.js';
import type { WritableRoots } from './writable-roots.js';

export interface RecoverLookOptions {
  /** Preallocation size that the node runs with, in bytes; 0 for none. */
  readonly preallocBytes: number;
  readonly discardRecoverable: boolean;
}

export interface RecoverOptions extends RecoverLookOptions {
  readonly apply: boolean;
  /** The quarantine's directory, as `resolveQuarantine` gives it; `null` to keep nothing. */
  readonly quarantine: string | null;
  /** Go on where open files cannot be checked for. */
  readonly assumeUnused: boolean;
}

/** What a restart makes of a log's last file, or has been made of it. Sizes in bytes. */
export interface RecoveredFileReport {
  readonly path: string;
  readonly segment: string;
  readonly baseOffset: bigint;
  readonly sealed: boolean;
  readonly classification: TailClass;
  /** What the node's restart does to the tail. */
  readonly action: TailAction;
  readonly outcome: RecoveryOutcome | 'refused';
  readonly records: number;
  readonly validBytes: number;
  readonly fileBytes: number;
  readonly afterBytes: number;
  readonly beyond: Beyond | null;
  /** The entry that keeps what was cut. */
  readonly quarantine: string | null;
  /** Why it is refused. */
  readonly reason: string | null;
}

/** What a look at a last file found, and what is to be done about it. */
export interface LookedAtLast {
  readonly place: CopyPlace;
  readonly present: readonly PresentFile[];
  readonly report: RecoveredFileReport;
  /** What a restart makes of the tail; `null` if nothing, or nothing that may be done. */
  readonly change: TailChange | null;
}

/**
 * Tells what a node's restart does to a log's last file. Changes nothing. Yields the position reached, now
 * and then.
 *
 * @throws RefusedError if the copy is not to be touched; StorageError.
 */
export function* lookAtLastFileSteps(
  disk: Disk,
  target: FileTarget,
  options: RecoverLookOptions,
): Generator<number, LookedAtLast> {
  const place = placeOf(disk, target);
  const present = listPlace(disk, place);
  requireLast(target, present);
  const { report } = yield* inspectFileSteps(disk, target, options);
  const { path, segment, baseOffset, sealed, classification, action, beyond } = report;
  const { records, validBytes, fileBytes, tail } = report;
  const decision = decideRecovery(
    {
      ...{ sealed, fileBytes, validBytes, action },
      framesBeyond: beyond?.frames ?? 0,
      writtenBytes: tail.writtenBytes,
      allWrittenBytes: writtenTail(disk, path, validBytes),
    },
    options,
  );
  const known = { path, segment, baseOffset, sealed, classification, action, beyond };
  const sizes = { records, validBytes, fileBytes };
  const isRefused = decision.kind === 'refused';
  return {
    place,
    present,
    report: {
      ...known,
      ...sizes,
      outcome: isRefused ? 'refused' : decision.outcome,
      afterBytes: isRefused ? fileBytes : decision.afterBytes,
      quarantine: null,
      reason: isRefused ? decision.reason : null,
    },
    change: isRefused ? null : decision.change,
  };
}

/**
 * Finishes a recovery of the file's copy that was cut short, if there was one.
 *
 * @returns the quarantine entry of what was finished, else `null`.
 * @throws RefusedError if the copy is not to be touched; StorageError.
 */
export function finishEarlier(
  disk: Disk,
  target: FileTarget,
  roots: Pick<WritableRoots, 'lock'>,
  assumeUnused: boolean,
): string | null {
  const place = placeOf(disk, target);
  roots.lock(place.logRoot);
  requireLast(target, listPlace(disk, place));
  return finishRecovery(disk, place, assumeUnused);
}

/**
 * Does to a log's last file what a node's restart does, in one go, the quarantine first.
 *
 * @param finished the entry of an earlier recovery that has just been finished.
 * @throws RefusedError if the file is in use or has changed since it was looked at; StorageError.
 */
export function recoverLookedAt(
  disk: Disk,
  target: FileTarget,
  { place, present, report, change }: LookedAtLast,
  finished: string | null,
  options: RecoverOptions,
): RecoveredFileReport {
  if (change) {
    return { ...report, quarantine: carryOut(disk, target, place, present, change, options) };
  }
  const isFinished = finished !== null && report.outcome === 'none';
  return isFinished ? { ...report, outcome: 'discarded', quarantine: finished } : report;
}

function requireLast(target: FileTarget, present: readonly PresentFile[]): void {
  const later = present.find(
    ({ kind, baseOffset }) => kind === 'log' && (baseOffset ?? 0n) > target.baseOffset,
  );
  if (!later) return;
  const reason = `a restart recovers the last file of a log alone, which is ${later.name} or a later one`;
  throw new RefusedError('ENOTLAST', `${target.path}: refused, ${reason}`);
}

/** Bytes of the tail up to its last one that is not zero, however long it is. */
function writtenTail(disk: Disk, path: string, validBytes: number): number {
  return withFile(disk, path, (source) => writtenEnd(source, validBytes) - validBytes);
}

function carryOut(
  disk: Disk,
  target: FileTarget,
  place: CopyPlace,
  present: readonly PresentFile[],
  tailChange: TailChange,
  options: RecoverOptions,
): string | null {
  const { directory } = place;
  requireUnused(disk, [directory], options.assumeUnused);
  requireUnchanged(disk, place, present);
  const changes = [toFileChange(disk, target, tailChange)];
  const endangered = { ...place, operation: 'recover', node: null, present, changes };
  const entry =
    options.quarantine === null
      ? null
      : quarantineCopy(disk, options.quarantine, endangered, new Date());
  if (entry !== null) writeRecoveringNote(disk, directory, entry);
  applyChanges(disk, directory, changes);
  removeNotes(disk, directory);
  return entry;
}

/** A file of which the middle is blanked is replaced as a whole: what follows it has to stay. */
function toFileChange(disk: Disk, { path }: FileTarget, change: TailChange): FileChange {
  const name = basename(path);
  if (change.kind === 'cut') return { ...change, name };
  const bytes = Buffer.alloc(change.sizeBytes);
  withFile(disk, path, (source) => {
    bytes.set(readBytes(source, 0, source.size));
  });
  bytes.fill(0, change.fromByte, change.toByte);
  return { kind: 'write', name, bytes };
}
