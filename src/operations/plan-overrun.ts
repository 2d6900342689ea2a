import { renderCopyKey, type CopyKey } from '../control-plane/copy-key.js';
import { readInventory, type Inventory } from '../control-plane/inventory.js';
import type { Snapshot } from '../control-plane/snapshot.js';
import type { Disk } from '../disk/disk.js';
import { InvalidInputError } from '../errors.js';
import { planOverrun, refuseNodes, type OverrunPlan } from '../policy/overrun-plan.js';
import { readMetadata, readText } from './metadata.js';
import { checkNodeRoots, type NodeRoot } from './nodes.js';
import type { Problem } from './problem.js';
import type { Progress } from './progress.js';
import {
  ANY_FORMAT,
  takeInventory,
  toNodeCopies,
  type InventoryOptions,
} from './take-inventory.js';

export interface PlanInputs extends InventoryOptions {
  /** Paths of metadata snapshots. */
  readonly metadata: readonly string[];
  readonly nodes: readonly NodeRoot[];
  /** Paths of inventories that were taken on other hosts. */
  readonly inventories: readonly string[];
  readonly batchSize: number;
  readonly after: CopyKey | null;
  readonly replicationFactor: number | null;
  readonly partial: boolean;
  /** Copies that are latched as failed. */
  readonly failed: readonly CopyKey[];
}

export interface PlanAnswer extends OverrunPlan {
  /** What could not be measured, here or where an inventory was taken. */
  readonly errors: readonly Problem[];
}

export interface PlannedFrom {
  readonly snapshot: Snapshot;
  readonly answer: PlanAnswer;
}

/**
 * Plans one batch of settling from metadata snapshots and the nodes' log roots or inventories.
 *
 * @throws {InvalidInputError} for a bad document, a node given twice, and one that no replica set names.
 */
export async function planFromInputs(
  disk: Disk,
  inputs: PlanInputs,
  progress?: Progress,
): Promise<PlannedFrom> {
  if (inputs.metadata.length === 0) {
    throw new InvalidInputError('expected a --metadata, found none');
  }
  if (inputs.nodes.length + inputs.inventories.length === 0) {
    throw new InvalidInputError('expected a --node or an --inventory, found neither');
  }
  const snapshot = readMetadata(disk, inputs.metadata);
  const given = inputs.inventories.map((path) =>
    readInventory({ name: path, text: readText(disk, path) }),
  );
  checkNodeRoots(disk, inputs.nodes, ANY_FORMAT);
  const known = given.flatMap(({ nodes }) => nodes);
  refuseNodes(
    snapshot,
    [...inputs.nodes, ...known].map(({ node }) => node),
  );

  const taken = await takeInventory(disk, inputs.nodes, inputs, progress);
  const supplied = [...taken.map(toNodeCopies), ...known];
  const failed = new Set(inputs.failed.map(renderCopyKey));
  const plan = planOverrun(snapshot, supplied, { ...inputs, failed });
  const errors = [...taken.flatMap((node) => node.errors), ...given.flatMap(inventoryProblems)];
  return { snapshot, answer: { ...plan, errors } };
}

/** Whether the plan says that something needs attention; a plan that could measure nothing does. */
export function needsAttention(plan: OverrunPlan): boolean {
  return (
    plan.unsettled > 0 ||
    plan.short.length > 0 ||
    plan.orphanedFences.length > 0 ||
    measuredNothing(plan)
  );
}

/**
 * Whether no copy could be held against a seal although there may be reason to: sealed segments wait for
 * replicas, or the metadata lists none of the copies.
 */
export function measuredNothing({ measured, skipped }: OverrunPlan): boolean {
  return measured === 0 && skipped.some(({ reason }) => reason !== 'active');
}

/** Keys that name no replica of the snapshot: most likely a slip of the pen. */
export function unknownCopies(snapshot: Snapshot, keys: readonly CopyKey[]): string[] {
  return keys.map(renderCopyKey).filter((key) => {
    const [segment = '', replica = ''] = key.split('/');
    return snapshot.byName.get(segment)?.replicaSet.includes(replica) !== true;
  });
}

function inventoryProblems({ problems }: Inventory): Problem[] {
  return problems.map((problem) => ({ ...problem, exitCode: 3 }));
}
