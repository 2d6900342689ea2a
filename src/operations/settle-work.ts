import { renderCopyKey } from '../control-plane/copy-key.js';
import { parsePlan, type PlannedAction } from '../control-plane/plan-document.js';
import { endOffset } from '../control-plane/segment-record.js';
import type { Snapshot } from '../control-plane/snapshot.js';
import { compareUtf8 } from '../control-plane/utf8-order.js';
import type { Disk } from '../disk/disk.js';
import type { MalachiError } from '../errors.js';
import { InvalidInputError, RefusedError } from '../errors.js';
import type { LocatedCopies } from './locate-copies.js';
import type { CopyToSeal } from './look-at-copy.js';
import { readSettlingNote } from './work-notes.js';
import { readMetadata, readText } from './metadata.js';
import { planFromInputs, type PlanAnswer, type PlanInputs } from './plan-overrun.js';
import type { Problem } from './problem.js';
import type { Progress } from './progress.js';

/** One copy to settle, or why that is refused from the start. */
export interface WorkItem {
  readonly copy: CopyToSeal;
  readonly obstacle: MalachiError | null;
}

/** What a plan says of copies that the run has nothing to do with. */
export interface PlanFindings {
  /** Copies below their recorded size, and fences of segments without an end; `null` with a saved plan. */
  readonly shortCopies: number | null;
  readonly orphanedFences: number | null;
  /** Copies of a saved plan that are on nodes which are not given, by node. */
  readonly elsewhere: readonly CopiesOfNode[];
}

export interface CopiesOfNode {
  readonly replica: string;
  readonly copies: number;
}

/** What one run is to settle. */
export interface SettleWork {
  readonly items: readonly WorkItem[];
  /** Where the next batch goes on; `null` if this one is empty. */
  readonly nextAfter: string | null;
  /** Copies that this batch leaves out. */
  readonly remaining: number;
  /** Copies that were held against their seal; `null` with a saved plan. */
  readonly measured: number | null;
  /** Segments that wait for a replica whose node is not given. */
  readonly waiting: number;
  readonly findings: PlanFindings;
  /** What kept copies from being planned. */
  readonly errors: readonly Problem[];
}

type Located = ReadonlyMap<string, LocatedCopies>;

/**
 * The copies of a saved plan that are on the given nodes; those on others are left to their hosts.
 *
 * @throws InvalidInputError for a bad document, and for a plan with nothing for any of the given nodes.
 */
export function workFromPlan(
  disk: Disk,
  planPath: string,
  metadata: readonly string[],
  located: Located,
): SettleWork {
  const plan = parsePlan({ name: planPath, text: readText(disk, planPath) });
  const elsewhere = copiesElsewhere(plan.actions, located);
  if (plan.actions.length > 0 && !plan.actions.some(({ replica }) => located.has(replica))) {
    const planned = elsewhere.map(({ replica }) => replica).join(', ');
    const given = [...located.keys()].map((node) => JSON.stringify(node)).join(', ');
    throw new InvalidInputError(
      `${planPath}: expected a --node that the plan is for (${planned}), found ${given}`,
    );
  }
  const snapshot = metadata.length > 0 ? readMetadata(disk, metadata) : null;
  const items = plan.actions.flatMap((action): WorkItem[] => {
    const item = itemOf(action, located);
    if (!item) return [];
    return [{ ...item, obstacle: (snapshot && disagreement(action, snapshot)) ?? item.obstacle }];
  });
  const { nextAfter, remaining } = plan;
  return {
    items,
    nextAfter,
    remaining: Number(remaining),
    measured: null,
    waiting: 0,
    findings: { shortCopies: null, orphanedFences: null, elsewhere },
    errors: [],
  };
}

function copiesElsewhere(actions: readonly PlannedAction[], located: Located): CopiesOfNode[] {
  const copies = new Map<string, number>();
  for (const { replica } of actions) {
    if (!located.has(replica)) copies.set(replica, (copies.get(replica) ?? 0) + 1);
  }
  return [...copies]
    .map(([replica, count]) => ({ replica, copies: count }))
    .sort((a, b) => compareUtf8(a.replica, b.replica));
}

export interface BatchOptions {
  /** No limit to the batch. */
  readonly all: boolean;
  /** Rot is to be dropped, so copies that were confirmed with it are due again. */
  readonly dropRot: boolean;
  readonly progress?: Progress | undefined;
}

/** Plans from metadata and log roots: first what an earlier run left half done, then one batch. */
export async function workFromInputs(
  disk: Disk,
  inputs: PlanInputs,
  located: Located,
  { all, dropRot, progress }: BatchOptions,
): Promise<SettleWork> {
  const everything = { ...inputs, batchSize: Number.MAX_SAFE_INTEGER };
  const { snapshot, answer } = await planFromInputs(disk, everything, progress);
  const failed = new Set(inputs.failed.map(renderCopyKey));
  const unfinished = unfinishedItems(disk, snapshot, located).filter(
    ({ copy }) => !failed.has(keyOf(copy)),
  );
  const begun = new Set(unfinished.map(({ copy }) => keyOf(copy)));
  const due = answer.actions.filter((action) => !begun.has(keyOf(action)));
  const own = due.flatMap((action) => itemOf(action, located) ?? []);
  if (dropRot) {
    for (const { replica, segment } of answer.confirmed) {
      const item = sealedItem(snapshot, located.get(replica), segment);
      if (item) own.push(item);
    }
  }
  const batch = all ? own : own.slice(0, inputs.batchSize);
  const last = batch.at(-1);
  return {
    items: [...unfinished, ...batch],
    nextAfter: last ? keyOf(last.copy) : null,
    remaining: own.length - batch.length,
    measured: answer.measured,
    waiting: inputs.partial ? 0 : waitingSegments(answer),
    findings: {
      shortCopies: answer.short.length,
      orphanedFences: answer.orphanedFences.length,
      elsewhere: [],
    },
    errors: answer.errors,
  };
}

function waitingSegments({ skipped }: PlanAnswer): number {
  const waiting = skipped.filter(({ reason }) => reason === 'replica_not_supplied');
  return new Set(waiting.map(({ segment }) => segment)).size;
}

function itemOf(action: PlannedAction, located: Located): WorkItem | null {
  const copies = located.get(action.replica);
  if (!copies) return null;
  const { replica, segment, startOffset, endOffset, recordedBytes, storedBytes } = action;
  return {
    copy: {
      replica,
      segment,
      logRoot: copies.gate.realRoot,
      directory: copies.directoryOf(segment),
      seal: { startOffset, endOffset, byteSize: recordedBytes },
      plannedBytes: storedBytes,
    },
    obstacle: copies.obstacleFor(segment),
  };
}

/** A copy of a segment that the metadata calls sealed, whatever its size. */
function sealedItem(
  snapshot: Snapshot,
  copies: LocatedCopies | undefined,
  segment: string,
): WorkItem | null {
  const listed = snapshot.byName.get(segment);
  if (listed?.state !== 'sealed' || !copies) return null;
  const { startOffset, byteSize } = listed;
  return {
    copy: {
      replica: copies.gate.node,
      segment,
      logRoot: copies.gate.realRoot,
      directory: copies.directoryOf(segment),
      seal: { startOffset, endOffset: endOffset(listed), byteSize },
      plannedBytes: null,
    },
    obstacle: copies.obstacleFor(segment),
  };
}

function unfinishedItems(disk: Disk, snapshot: Snapshot, located: Located): WorkItem[] {
  const items: WorkItem[] = [];
  for (const copies of located.values()) {
    for (const segment of copies.unfinished()) {
      const item = sealedItem(snapshot, copies, segment);
      const note = readSettlingNote(disk, copies.directoryOf(segment));
      if (item && note?.endOffset === item.copy.seal.endOffset) items.push(item);
    }
  }
  return items;
}

/** Why a planned action must not be carried out, by metadata that is newer than the plan. */
function disagreement(action: PlannedAction, snapshot: Snapshot): RefusedError | null {
  const { segment, replica } = action;
  const listed = snapshot.byName.get(segment);
  const found = !listed
    ? 'does not list the segment'
    : listed.state === 'active'
      ? 'calls it active'
      : listed.startOffset !== action.startOffset || endOffset(listed) !== action.endOffset
        ? `has it sealed from ${listed.startOffset} to ${endOffset(listed)}`
        : listed.byteSize !== action.recordedBytes
          ? `records ${listed.byteSize} bytes`
          : !listed.replicaSet.includes(replica)
            ? `does not name ${replica} in its replica set`
            : null;
  if (found === null) return null;
  return new RefusedError(
    'EOUTDATED',
    `${segment}: refused, planned as sealed from ${action.startOffset} to ${action.endOffset} with ` +
      `${action.recordedBytes} bytes, the metadata ${found}: plan again`,
  );
}

function keyOf({ segment, replica }: { segment: string; replica: string }): string {
  return `${segment}/${replica}`;
}
