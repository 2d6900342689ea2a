import { compareCopyKeys, type CopyKey } from '../control-plane/copy-key.js';
import { endOffset, type SealedSegment } from '../control-plane/segment-record.js';
import type { Snapshot } from '../control-plane/snapshot.js';
import { InvalidInputError } from '../errors.js';
import { segmentName } from '../format/names.js';

/** One `seal_at` call: bring this replica's copy down to `endOffset`, and fence it there. */
export interface SealAction extends CopyKey {
  readonly segment: SealedSegment;
  readonly startOffset: bigint;
  /** The end that the control plane recorded: start + length. */
  readonly endOffset: bigint;
}

/**
 * The `seal_at` calls for the copies in `unsettled`, at most `batchSize` of them, sorted and without
 * duplicates (the system's `SealedOverrun.plan`).
 *
 * - A copy whose segment is not sealed in the metadata, or not listed, is skipped: a length that is not
 *   recorded is none to bring a copy down to. Skipped ones take no place in the batch.
 * - The batch starts just past `afterKey`, whether or not that copy is still there, and wraps around, so that
 *   passes which feed the last key back reach every copy before any twice.
 *
 * @param batchSize a whole number of 1 or more.
 * @throws {InvalidInputError} for another batch size.
 */
export function plan(
  metadata: Snapshot,
  unsettled: readonly CopyKey[],
  batchSize: number,
  afterKey: CopyKey | null = null,
): SealAction[] {
  if (!Number.isSafeInteger(batchSize) || batchSize < 1) {
    throw new InvalidInputError(
      `batch size: expected a whole number of 1 or more, found ${batchSize}`,
    );
  }
  const due = sealActions(metadata, unsettled);
  const start = afterKey ? firstPast(due, afterKey) : 0;
  const untilEnd = due.slice(start, start + batchSize);
  return [...untilEnd, ...due.slice(0, Math.min(start, batchSize - untilEnd.length))];
}

/** An action for every copy of a sealed segment, in order, each once. */
function sealActions(metadata: Snapshot, unsettled: readonly CopyKey[]): SealAction[] {
  const actions: SealAction[] = [];
  let previous: CopyKey | null = null;
  for (const key of unsettled.toSorted(compareCopyKeys)) {
    const isDuplicate = previous !== null && compareCopyKeys(previous, key) === 0;
    previous = key;
    const segment = metadata.byName.get(segmentName(key.segment));
    if (isDuplicate || segment?.state !== 'sealed') continue;
    actions.push({
      segment,
      replica: key.replica,
      startOffset: segment.startOffset,
      endOffset: endOffset(segment),
    });
  }
  return actions;
}

/** Index of the first action past `key`; their number if there is none. */
function firstPast(actions: readonly SealAction[], key: CopyKey): number {
  let low = 0;
  let high = actions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const action = actions[middle];
    if (action && compareCopyKeys(action, key) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
