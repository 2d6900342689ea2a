import { renderCopyKey, type CopyKey } from '../control-plane/copy-key.js';
import type { NodeCopies } from '../control-plane/inventory.js';
import type { PlannedAction } from '../control-plane/plan-document.js';
import type { Snapshot } from '../control-plane/snapshot.js';
import { compareUtf8 } from '../control-plane/utf8-order.js';
import { InvalidInputError } from '../errors.js';
import { probeIntegrity, type ProbeOptions } from './integrity-probe.js';
import { findOrphanedFences, type CopyName } from './orphaned-fence.js';
import { plan, type SealAction } from './sealed-overrun.js';
import { listSkipped, type SkippedCopy } from './skipped-copies.js';

export interface ShortCopy extends CopyName {
  readonly recordedBytes: bigint;
  readonly storedBytes: bigint;
}

/** One batch, and all that there is to know about the copies outside it. */
export interface OverrunPlan {
  readonly batchSize: number;
  /** `SEGMENT/NODE`, as are all keys here. */
  readonly after: string | null;
  readonly actions: readonly PlannedAction[];
  /** The key of the last action; `null` if there is none. */
  readonly nextAfter: string | null;
  /** Copies that were held against their seal. */
  readonly measured: number;
  /** Copies above their recorded size, those of the batch included. */
  readonly unsettled: number;
  /** Unsettled copies that the batch leaves out. */
  readonly remaining: number;
  readonly short: readonly ShortCopy[];
  readonly confirmed: readonly CopyName[];
  readonly skipped: readonly SkippedCopy[];
  readonly orphanedFences: readonly CopyName[];
}

export interface OverrunPlanOptions extends ProbeOptions {
  readonly batchSize: number;
  readonly after: CopyKey | null;
}

/**
 * Holds the supplied nodes' copies against the metadata, and plans one batch of settling.
 *
 * @throws {InvalidInputError} for a batch size below 1, for a node given twice, and for one that no replica
 * set names.
 */
export function planOverrun(
  snapshot: Snapshot,
  supplied: readonly NodeCopies[],
  options: OverrunPlanOptions,
): OverrunPlan {
  refuseNodes(
    snapshot,
    supplied.map(({ node }) => node),
  );
  const nodes = new Map(supplied.map((copies) => [copies.node, copies]));
  const { batchSize, after } = options;
  const probe = probeIntegrity(snapshot, nodes, options);
  const batch = plan(snapshot, probe.unsettled, batchSize, after);
  const last = batch.at(-1);
  return {
    batchSize,
    after: after && renderCopyKey(after),
    actions: batch.map((action) => describeAction(action, nodes)),
    nextAfter: last ? renderCopyKey(last) : null,
    measured: probe.measured,
    unsettled: probe.unsettled.length,
    remaining: probe.unsettled.length - batch.length,
    short: probe.short.map(({ replica, segment, storedBytes }) => ({
      replica,
      segment: segment.name,
      recordedBytes: segment.byteSize,
      storedBytes,
    })),
    confirmed: probe.confirmed.map(({ replica, segment }) => ({ replica, segment: segment.name })),
    skipped: listSkipped(snapshot, supplied, probe.skipped),
    orphanedFences: findOrphanedFences(snapshot, nodes),
  };
}

/**
 * @throws {InvalidInputError} for a node given twice, and for one that no replica set names: its name would
 * be a slip, and its copies would count for nothing.
 */
export function refuseNodes(snapshot: Snapshot, names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) {
      throw new InvalidInputError(
        `node ${JSON.stringify(name)}: expected each node once, found it again`,
      );
    }
    seen.add(name);
    if (!snapshot.nodes.has(name)) throw new InvalidInputError(unknownNodeText(snapshot, name));
  }
}

/** What is wrong with a node's name that no replica set has; tells those that are there. */
export function unknownNodeText({ nodes }: Snapshot, name: string): string {
  const known = [...nodes].sort(compareUtf8).join(', ') || 'none';
  return `node ${JSON.stringify(name)}: expected a node of the metadata's replica sets (${known}), found it in none`;
}

function describeAction(
  { replica, segment, startOffset, endOffset }: SealAction,
  nodes: ReadonlyMap<string, NodeCopies>,
): PlannedAction {
  const recordedBytes = segment.byteSize;
  const storedBytes = nodes.get(replica)?.copies.get(segment.name)?.storedBytes ?? 0n;
  return {
    replica,
    segment: segment.name,
    startOffset,
    endOffset,
    recordedBytes,
    storedBytes,
    surplusBytes: storedBytes - recordedBytes,
  };
}
