import { compareSegmentNames, type NamedSegment } from '../control-plane/copy-key.js';
import type { NodeCopies } from '../control-plane/inventory.js';
import type { Snapshot } from '../control-plane/snapshot.js';
import { compareUtf8 } from '../control-plane/utf8-order.js';
import { isForeignName, parseSegmentName } from '../format/names.js';
import type { ProbeSkip, ProbeSkipReason } from './integrity-probe.js';

/**
 * `foreign_id`: which directory belongs to which id cannot be told; `not_in_metadata`: a copy whose segment
 * the metadata does not list; `not_a_replica`: a copy on a node that the segment's replica set does not name.
 */
export type SkipReason = ProbeSkipReason | 'foreign_id' | 'not_in_metadata' | 'not_a_replica';

export interface SkippedCopy {
  readonly segment: string;
  /** `null` if the reason holds for the whole segment. */
  readonly replica: string | null;
  readonly reason: SkipReason;
}

interface NamedSkip extends NamedSegment {
  readonly replica: string | null;
  readonly reason: SkipReason;
}

/** Everything that was not held against a seal and why: what the probe left out, and what it never saw. */
export function listSkipped(
  snapshot: Snapshot,
  nodes: Iterable<NodeCopies>,
  probeSkips: readonly ProbeSkip[],
): SkippedCopy[] {
  const skips: NamedSkip[] = probeSkips.map(({ segment, replica, reason }) => ({
    name: segment.name,
    id: segment,
    replica,
    reason,
  }));
  for (const { label } of snapshot.foreign) {
    skips.push({ name: label, id: null, replica: null, reason: 'foreign_id' });
  }
  for (const node of nodes) for (const skip of unlisted(snapshot, node)) skips.push(skip);
  return skips
    .sort((a, b) => compareSegmentNames(a, b) || compareUtf8(a.replica ?? '', b.replica ?? ''))
    .map(({ name, replica, reason }) => ({ segment: name, replica, reason }));
}

/** The copies of a node that the metadata does not give it. */
function* unlisted(snapshot: Snapshot, { node, copies }: NodeCopies): Generator<NamedSkip> {
  for (const name of copies.keys()) {
    const listed = snapshot.byName.get(name);
    if (listed?.replicaSet.includes(node)) continue;
    const id = listed ?? parseSegmentName(name);
    yield { name, id, replica: node, reason: reasonOf(name, listed !== undefined, id !== null) };
  }
}

function reasonOf(name: string, isListed: boolean, isParsed: boolean): SkipReason {
  if (isListed) return 'not_a_replica';
  return !isParsed && isForeignName(name) ? 'foreign_id' : 'not_in_metadata';
}
