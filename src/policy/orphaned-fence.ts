import type { NodeCopies } from '../control-plane/inventory.js';
import type { Snapshot } from '../control-plane/snapshot.js';

export interface CopyName {
  readonly replica: string;
  /** The name of the copy's directory. */
  readonly segment: string;
}

/**
 * The copies that are fenced while they are the primary's of a segment the control plane calls active: no
 * write to it can succeed. The other half of a sealed overrun; in the order of the segments.
 */
export function findOrphanedFences(
  snapshot: Snapshot,
  nodes: ReadonlyMap<string, NodeCopies>,
): CopyName[] {
  const fences: CopyName[] = [];
  for (const { state, name, primary } of snapshot.segments) {
    if (state !== 'active') continue;
    const copy = nodes.get(primary)?.copies.get(name);
    if (copy?.fenced === true) fences.push({ replica: primary, segment: name });
  }
  return fences;
}
