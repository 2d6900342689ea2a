import { renderCopyKey, type CopyKey } from '../control-plane/copy-key.js';
import type { MeasuredCopy, NodeCopies } from '../control-plane/inventory.js';
import {
  endOffset,
  type SealedSegment,
  type SegmentRecord,
} from '../control-plane/segment-record.js';
import type { Snapshot } from '../control-plane/snapshot.js';
import { compareUtf8 } from '../control-plane/utf8-order.js';

/** A copy of a sealed segment whose bytes are not the recorded ones. */
export interface MeasuredAgainstSeal extends CopyKey {
  readonly segment: SealedSegment;
  readonly storedBytes: bigint;
}

/**
 * Why copies were not measured against their seal.
 *
 * - `active`: no length is recorded yet
 * - `under_replicated`: the replica set is smaller than the replication factor
 * - `replica_not_supplied`: this replica's node was not given; without it the others wait, too
 * - `unreadable`: this copy is there, or may be, and could not be measured; the others wait, too
 * - `failed`: latched as failed
 */
export type ProbeSkipReason =
  'active' | 'under_replicated' | 'replica_not_supplied' | 'unreadable' | 'failed';

export interface ProbeSkip {
  readonly segment: SegmentRecord;
  /** `null` if the reason holds for the whole segment. */
  readonly replica: string | null;
  readonly reason: ProbeSkipReason;
}

/** In the order of the copies' keys. */
export interface ProbeAnswer {
  /** Copies that were held against their seal. */
  readonly measured: number;
  /** Copies above their recorded size, without those that are confirmed. */
  readonly unsettled: readonly MeasuredAgainstSeal[];
  /** Copies below their recorded size; one that is absent holds 0 bytes. */
  readonly short: readonly MeasuredAgainstSeal[];
  /** Copies above their recorded size that a matching `SETTLED` marker vouches for. */
  readonly confirmed: readonly MeasuredAgainstSeal[];
  readonly skipped: readonly ProbeSkip[];
}

export interface ProbeOptions {
  /** Replicas that a segment must have, or it is left to the repair; `null` for as many as it has. */
  readonly replicationFactor: number | null;
  /** Whether a segment's known copies are measured though another of its replicas is not known. */
  readonly partial: boolean;
  /** Keys, rendered, of the copies that are latched as failed. */
  readonly failed: ReadonlySet<string>;
}

/**
 * Holds the bytes that each copy stores against the size that the control plane recorded. As healing does, it
 * answers for sealed segments whose replicas are all live (here: supplied) and not under-replicated.
 */
export function probeIntegrity(
  snapshot: Snapshot,
  nodes: ReadonlyMap<string, NodeCopies>,
  options: ProbeOptions,
): ProbeAnswer {
  const probe = new Probe(nodes, options);
  for (const segment of snapshot.segments) {
    const wanted = options.replicationFactor ?? 0;
    if (segment.state === 'active') probe.skip(segment, null, 'active');
    else if (segment.replicaSet.length < wanted) probe.skip(segment, null, 'under_replicated');
    else probe.measure(segment);
  }
  return probe;
}

class Probe implements ProbeAnswer {
  measured = 0;
  readonly unsettled: MeasuredAgainstSeal[] = [];
  readonly short: MeasuredAgainstSeal[] = [];
  readonly confirmed: MeasuredAgainstSeal[] = [];
  readonly skipped: ProbeSkip[] = [];
  readonly #nodes: ReadonlyMap<string, NodeCopies>;
  readonly #options: ProbeOptions;

  constructor(nodes: ReadonlyMap<string, NodeCopies>, options: ProbeOptions) {
    this.#nodes = nodes;
    this.#options = options;
  }

  skip(segment: SegmentRecord, replica: string | null, reason: ProbeSkipReason): void {
    this.skipped.push({ segment, replica, reason });
  }

  measure(segment: SealedSegment): void {
    const known: [string, MeasuredCopy | 'absent'][] = [];
    let allLive = true;
    for (const replica of segment.replicaSet.toSorted(compareUtf8)) {
      const copy = this.#find(segment, replica);
      if (typeof copy === 'object' || copy === 'absent') {
        known.push([replica, copy]);
      } else {
        this.skip(segment, replica, copy);
        allLive &&= copy === 'failed';
      }
    }
    if (!allLive && !this.#options.partial) return;
    for (const [replica, copy] of known) this.#judge(segment, replica, copy);
  }

  #find(segment: SealedSegment, replica: string): MeasuredCopy | 'absent' | ProbeSkipReason {
    const node = this.#nodes.get(replica);
    if (!node) return 'replica_not_supplied';
    const { failed } = this.#options;
    if (failed.size > 0 && failed.has(renderCopyKey({ segment, replica }))) return 'failed';
    const copy = node.copies.get(segment.name);
    if (copy === undefined) return node.complete ? 'absent' : 'unreadable';
    return copy ?? 'unreadable';
  }

  #judge(segment: SealedSegment, replica: string, copy: MeasuredCopy | 'absent'): void {
    this.measured += 1;
    const storedBytes = copy === 'absent' ? 0n : copy.storedBytes;
    if (storedBytes === segment.byteSize) return;
    const measured = { segment, replica, storedBytes };
    if (storedBytes < segment.byteSize) this.short.push(measured);
    else if (copy !== 'absent' && isSettled(copy, segment)) this.confirmed.push(measured);
    else this.unsettled.push(measured);
  }
}

/** Whether the copy's records were found to be those of this very seal. */
function isSettled({ settled }: MeasuredCopy, segment: SealedSegment): boolean {
  return (
    settled !== null &&
    settled.endOffset === endOffset(segment) &&
    settled.records === segment.length &&
    settled.byteSize === segment.byteSize
  );
}
