import { renderSettled } from '../format/markers.js';
import type { CopyFileName } from '../format/names.js';
import {
  FENCE_MARKER,
  SEALED_SUFFIX,
  SETTLED_MARKER,
  SIDECAR_SUFFIX,
  fileStem,
} from '../format/names.js';
import type { FileChange } from './copy-change.js';
import type { Seal, SealDecision } from './seal-decision.js';

/** What stands in the copy, by name; of sidecars and `SETTLED` the bytes too. */
export type PresentNames = ReadonlyMap<string, CopyFileName & { readonly bytes?: Uint8Array }>;

const EMPTY = new Uint8Array(0);

/**
 * The changes that carry out a decision; none where the copy already is as it should be.
 *
 * @param sidecarOf the index that a file of this base offset is due once it has its new size.
 */
export function sealChanges(
  decision: SealDecision,
  seal: Seal,
  present: PresentNames,
  sidecarOf: (baseOffset: bigint) => Uint8Array,
): FileChange[] {
  const changes: FileChange[] = [];
  const write = (name: string, bytes: Uint8Array): void => {
    const there = present.get(name);
    const isRight = there !== undefined && (!there.bytes || isSame(there.bytes, bytes));
    if (!isRight) changes.push({ kind: 'write', name, bytes });
  };

  const isCut = decision.outcome !== 'confirmed' && decision.outcome !== 'damaged';
  for (const { file, sizeBytes } of decision.keep) {
    if (sizeBytes === file.sizeBytes) continue;
    changes.push({ kind: 'cut', name: file.name, keepBytes: sizeBytes, sizeBytes });
  }
  for (const name of isCut && decision.fence ? namesPastEnd(decision, present) : []) {
    changes.push({ kind: 'remove', name });
  }
  if (!decision.fence) return changes;

  for (const { file } of decision.keep) {
    const stem = fileStem(file.baseOffset);
    write(stem + SIDECAR_SUFFIX, sidecarOf(file.baseOffset));
    write(stem + SEALED_SUFFIX, EMPTY);
  }
  write(FENCE_MARKER, EMPTY);
  if (decision.outcome === 'confirmed') {
    write(SETTLED_MARKER, Buffer.from(renderSettled(settledMarker(decision, seal))));
  } else if (present.has(SETTLED_MARKER)) {
    changes.push({ kind: 'remove', name: SETTLED_MARKER });
  }
  return changes;
}

/** The files that go, and sidecars and markers that no file that stays has. */
function namesPastEnd(decision: SealDecision, present: PresentNames): string[] {
  const kept = new Set<bigint | null>(decision.keep.map(({ file }) => file.baseOffset));
  const names: string[] = [];
  for (const [name, { baseOffset }] of present) {
    if (baseOffset !== null && !kept.has(baseOffset)) names.push(name);
  }
  return names;
}

function settledMarker(
  decision: SealDecision,
  seal: Seal,
): { endOffset: bigint; records: bigint; byteSize: bigint } {
  return {
    endOffset: seal.endOffset,
    records: seal.endOffset - seal.startOffset,
    byteSize: BigInt(decision.keptBytes),
  };
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
