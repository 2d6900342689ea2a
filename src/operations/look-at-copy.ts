import { join } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { isMissing } from '../disk/durable.js';
import { readSmallFile } from '../disk/file-source.js';
import { RefusedError } from '../errors.js';
import type { SettlingMarker } from '../format/markers.js';
import type { FileChange } from '../policy/copy-change.js';
import type { PresentNames } from '../policy/seal-changes.js';
import { sealChanges } from '../policy/seal-changes.js';
import type { Seal, SealDecision } from '../policy/seal-decision.js';
import { decideSeal } from '../policy/seal-decision.js';
import type { PresentFile } from './copy-directory.js';
import { isSameListing, listForChange } from './copy-directory.js';
import type { ScannedWithSidecars } from './scan-log-file.js';
import { scanLogFileSteps } from './scan-log-file.js';
import { readRestoringNote, readSettlingNote } from './work-notes.js';

/** A copy that the control plane's seal is to be held against. */
export interface CopyToSeal {
  readonly replica: string;
  readonly segment: string;
  /** The log root, and the copy's directory in it; the root with links resolved. */
  readonly logRoot: string;
  readonly directory: string;
  readonly seal: Seal;
  /** Bytes of its log files when this was planned; `null` if it was not planned by them. */
  readonly plannedBytes: bigint | null;
}

/** What was found in a copy, and what is to be done about it. */
export interface LookedAt {
  readonly present: readonly PresentFile[];
  readonly storedBytes: number;
  readonly decision: SealDecision;
  readonly changes: readonly FileChange[];
  /** The copy was being brought down to this very seal when the run that did it ended. */
  readonly unfinished: SettlingMarker | null;
}

/**
 * Reads a copy and decides on it. Changes nothing. Yields the position reached in a file, now and then.
 *
 * @throws RefusedError `EOUTDATED` if the copy has gone, was changed meanwhile, or is not as it was planned.
 */
export function* lookSteps(
  disk: Disk,
  copy: CopyToSeal,
  dropRot: boolean,
): Generator<number, LookedAt> {
  const { logRoot, directory, seal } = copy;
  const present = listOrStale(disk, copy);
  const unfinished = readSettlingNote(disk, directory);
  const restoredFrom = readRestoringNote(disk, directory);
  if (restoredFrom !== null) {
    throw new RefusedError(
      'EUNFINISHED',
      `${directory}: refused, its restore from ${restoredFrom} was cut short: run that again first`,
    );
  }
  const files: ScannedWithSidecars[] = [];
  const isSealable = seal.endOffset >= seal.startOffset;
  for (const { kind, name, baseOffset } of isSealable ? present : []) {
    if (kind !== 'log' || baseOffset === null) continue;
    const path = join(directory, name);
    files.push(yield* scanLogFileSteps(disk, path, name, baseOffset, seal.endOffset));
  }
  const decision = decideSeal(files, seal, dropRot);
  const sizes = new Map(decision.keep.map(({ file, sizeBytes }) => [file.baseOffset, sizeBytes]));
  const sidecars = new Map(
    files.map((file) => {
      const isCut = sizes.get(file.baseOffset) === file.bytesBelowEnd;
      return [file.baseOffset, isCut ? file.sidecarBelowEnd : file.sidecar];
    }),
  );
  const sidecarOf = (baseOffset: bigint): Uint8Array =>
    sidecars.get(baseOffset) ?? new Uint8Array(0);
  requireSame(copy, present, listForChange(disk, logRoot, directory));
  const changes = sealChanges(decision, seal, withBytes(disk, directory, present), sidecarOf);
  const storedBytes = present.reduce(
    (sum, file) => sum + (file.kind === 'log' ? file.sizeBytes : 0),
    0,
  );
  const looked = { present, storedBytes, decision, changes, unfinished };
  if (isOutOfDate(copy, looked)) throw planAgain(copy, storedBytes);
  return looked;
}

function listOrStale(disk: Disk, { logRoot, directory, segment }: CopyToSeal): PresentFile[] {
  try {
    return listForChange(disk, logRoot, directory);
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new RefusedError('EOUTDATED', `${segment}: the copy is not there any more`);
  }
}

/** Sidecars are compared with what they should be, as is `SETTLED`; the other markers only need to be there. */
function withBytes(disk: Disk, directory: string, present: readonly PresentFile[]): PresentNames {
  return new Map(
    present.map((file) => {
      const isCompared = file.kind === 'sidecar' || file.kind === 'settled';
      if (!isCompared) return [file.name, file];
      const bytes = readSmallFile(disk, join(directory, file.name), file.sizeBytes);
      return [file.name, { ...file, bytes }];
    }),
  );
}

/** @throws RefusedError if the copy's files are not those that were looked at. */
export function requireSame(
  { segment }: CopyToSeal,
  then: readonly PresentFile[],
  now: readonly PresentFile[],
): void {
  if (isSameListing(then, now)) return;
  throw new RefusedError('EOUTDATED', `${segment}: the copy was changed while it was looked at`);
}

/**
 * Whether the copy is not as it was when this was planned. One that needs nothing, or that an earlier run of
 * this very plan has left half done, is no reason to stop.
 */
function isOutOfDate({ plannedBytes, seal }: CopyToSeal, looked: LookedAt): boolean {
  if (plannedBytes === null || plannedBytes === BigInt(looked.storedBytes)) return false;
  const { unfinished, changes } = looked;
  const isGoingOn =
    unfinished?.endOffset === seal.endOffset && unfinished.startOffset === seal.startOffset;
  return changes.length > 0 && !isGoingOn;
}

function planAgain({ segment, plannedBytes }: CopyToSeal, storedBytes: number): RefusedError {
  return new RefusedError(
    'EOUTDATED',
    `${segment}: the copy has ${storedBytes} bytes, it had ${plannedBytes} when this was planned: plan again`,
  );
}
