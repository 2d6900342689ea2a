import type { TailClass } from '../format/tail.js';

/** What the control plane recorded of a sealed segment; settling brings a copy down to it. */
export interface Seal {
  readonly startOffset: bigint;
  readonly endOffset: bigint;
  /** Bytes of the frames of the records between the two. */
  readonly byteSize: bigint;
}

/** What a scan found in one log file of a copy. Sizes in bytes. */
export interface ScannedLogFile {
  readonly name: string;
  readonly baseOffset: bigint;
  readonly sizeBytes: number;
  readonly records: number;
  readonly validBytes: number;
  /** How many of its records lie below the seal's end, and the bytes that they take. */
  readonly recordsBelowEnd: number;
  readonly bytesBelowEnd: number;
  readonly classification: TailClass;
  /** Whole frames behind the first unreadable byte. */
  readonly framesBeyond: number;
}

export type SealOutcome =
  'trimmed' | 'fenced' | 'confirmed' | 'short' | 'damaged' | 'failed' | 'refused' | 'stale';

/** What is to be done to a copy (`seal_at`), and why. */
export interface SealDecision {
  readonly outcome: SealOutcome;
  /** Records that the copy holds; up to the first damage or gap where it is not settled for one. */
  readonly heldRecords: number;
  readonly droppedRecords: number;
  /** Bytes that its records up to the end take, or would if the copy were settled. */
  readonly keptBytes: number;
  /** The files that stay, each with the size that it is to have. */
  readonly keep: readonly { readonly file: ScannedLogFile; readonly sizeBytes: number }[];
  readonly remove: readonly ScannedLogFile[];
  readonly fence: boolean;
  /** Why it is not settled, for a person. */
  readonly reason: string | null;
}

/**
 * Decides on one copy of a sealed segment, by the table of `seal_at`: it is brought down to the recorded end
 * and fenced there, or it is told why not. Cuts nothing unless the records that stay are the seal's, or all
 * that a short copy has.
 *
 * @param files the copy's log files in the order of their base offsets, each scanned to its end.
 * @param dropRot also give up rot behind the recorded end.
 */
export function decideSeal(
  files: readonly ScannedLogFile[],
  seal: Seal,
  dropRot: boolean,
): SealDecision {
  const { startOffset, endOffset } = seal;
  if (endOffset < startOffset) {
    return untouched(
      'refused',
      files,
      `it would end at ${endOffset}, below its start ${startOffset}`,
    );
  }
  if (files.length === 0) return untouched('stale', files, 'the copy has no log file any more');

  let reached = startOffset;
  for (const [at, file] of files.entries()) {
    if (file.baseOffset !== reached) return misplaced(files, at, reached);
    reached += BigInt(file.recordsBelowEnd);
    if (reached === endOffset) return decideAtEnd(files, at, seal, dropRot);
    const isLast = at === files.length - 1;
    if (isDamaged(file, isLast)) {
      const { name, classification, validBytes } = file;
      const reason = `${name} is ${classification} from byte ${validBytes} on, below the recorded end`;
      return damaged(files, at, reason);
    }
  }
  return decideShort(files, seal);
}

/** All the records are there, the last of them in file `at`. */
function decideAtEnd(
  files: readonly ScannedLogFile[],
  at: number,
  seal: Seal,
  dropRot: boolean,
): SealDecision {
  const kept = files.slice(0, at + 1);
  const past = files.slice(at + 1);
  const early = past.find((file) => file.baseOffset < seal.endOffset);
  if (early) return misplaced(files, files.indexOf(early), seal.endOffset);

  const keptBytes = kept.reduce((sum, file) => sum + file.bytesBelowEnd, 0);
  const keptRecords = Number(seal.endOffset - seal.startOffset);
  const heldRecords = files.reduce((sum, file) => sum + file.records, 0);
  if (BigInt(keptBytes) !== seal.byteSize) {
    const reason = `its records up to the end take ${keptBytes} bytes, the seal's take ${seal.byteSize}`;
    return { ...untouched('damaged', files, reason), heldRecords, keptBytes };
  }
  const droppedRecords = heldRecords - keptRecords;
  const decision = { heldRecords, droppedRecords, keptBytes, fence: true, reason: null };
  const hasRot = files.slice(at).some((file) => file.classification === 'rot');
  if (droppedRecords === 0 && hasRot && !dropRot) {
    return { ...decision, outcome: 'confirmed', keep: asTheyAre(files), remove: [] };
  }
  return {
    ...decision,
    outcome: droppedRecords > 0 ? 'trimmed' : 'fenced',
    keep: kept.map((file) => ({ file, sizeBytes: file.bytesBelowEnd })),
    remove: past,
  };
}

function decideShort(files: readonly ScannedLogFile[], seal: Seal): SealDecision {
  const heldRecords = files.reduce((sum, file) => sum + file.records, 0);
  const keptBytes = files.reduce((sum, file) => sum + file.validBytes, 0);
  const length = seal.endOffset - seal.startOffset;
  if (BigInt(keptBytes) >= seal.byteSize) {
    const reason = `its ${heldRecords} records take ${keptBytes} bytes, the seal's ${length} take ${seal.byteSize}`;
    return { ...untouched('damaged', files, reason), heldRecords, keptBytes };
  }
  return {
    outcome: 'short',
    heldRecords,
    droppedRecords: 0,
    keptBytes,
    keep: files.map((file) => ({ file, sizeBytes: file.validBytes })),
    remove: [],
    fence: true,
    reason: `it holds ${heldRecords} of ${length} records: start the node, and it is filled from another copy`,
  };
}

/** Torn is no damage in the last file alone, and only if nothing whole lies behind it. */
function isDamaged({ classification, framesBeyond }: ScannedLogFile, isLast: boolean): boolean {
  if (classification === 'torn') return !isLast || framesBeyond > 0;
  return classification === 'rot';
}

function misplaced(files: readonly ScannedLogFile[], at: number, expected: bigint): SealDecision {
  const { name = '' } = files[at] ?? {};
  const reason = `${name} starts at another offset than ${expected}, where it has to go on`;
  // A log that starts elsewhere is not this segment's at all: not even fenced.
  if (at === 0) return untouched('damaged', files, reason);
  return damaged(files, at - 1, reason);
}

/** @param last the last file whose records can be read one after the other. */
function damaged(files: readonly ScannedLogFile[], last: number, reason: string): SealDecision {
  const readable = files.slice(0, last + 1);
  return {
    ...untouched('damaged', files, reason),
    heldRecords: readable.reduce((sum, file) => sum + file.records, 0),
    keptBytes: readable.reduce((sum, file) => sum + file.bytesBelowEnd, 0),
    fence: true,
  };
}

function untouched(
  outcome: 'damaged' | 'refused' | 'stale',
  files: readonly ScannedLogFile[],
  reason: string,
): SealDecision {
  return {
    outcome,
    heldRecords: 0,
    droppedRecords: 0,
    keptBytes: 0,
    keep: asTheyAre(files),
    remove: [],
    fence: false,
    reason,
  };
}

function asTheyAre(files: readonly ScannedLogFile[]): SealDecision['keep'] {
  return files.map((file) => ({ file, sizeBytes: file.sizeBytes }));
}
