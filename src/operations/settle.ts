import type { Disk } from '../disk/disk.js';
import type { NamedProcess } from '../disk/in-use.js';
import type { SealOutcome } from '../policy/seal-decision.js';
import { breathe } from './breathe.js';
import { LocatedCopies } from './locate-copies.js';
import type { LinkedListener } from './linked-files.js';
import { linkedFiles } from './linked-files.js';
import { openGates } from './node-gates.js';
import { checkNodeRoots } from './nodes.js';
import type { Job, JobRunner } from './jobs.js';
import { inProcessRunner } from './jobs.js';
import type { PlanInputs } from './plan-overrun.js';
import type { Problem } from './problem.js';
import type { Progress } from './progress.js';
import { totalBytes, withProgress } from './progress.js';
import { resolveQuarantine } from './quarantine-place.js';
import { sealLookedAt } from './seal-at.js';
import type { SealResult } from './seal-result.js';
import { failedResult } from './seal-result.js';
import type { PlanFindings, SettleWork, WorkItem } from './settle-work.js';
import { workFromInputs, workFromPlan } from './settle-work.js';

export interface SettleRequest {
  readonly inputs: PlanInputs;
  /** Path of a saved plan to follow, instead of planning now. */
  readonly plan: string | null;
  readonly apply: boolean;
  readonly all: boolean;
  readonly dropRot: boolean;
  /** Where to keep what is cut, as given; `null` to keep nothing. */
  readonly quarantine: string | null;
  readonly assumeUnused: boolean;
}

export interface SettleAnswer extends PlanFindings {
  readonly applied: boolean;
  readonly results: readonly SealResult[];
  readonly nextAfter: string | null;
  /** Copies that this batch leaves out. */
  readonly remaining: number;
  /** Copies that were held against their seal; `null` with a saved plan. */
  readonly measured: number | null;
  /** Segments that wait for a replica whose node is not given. */
  readonly waiting: number;
  readonly summary: Readonly<Record<SealOutcome, number>>;
  readonly errors: readonly Problem[];
}

/** How a run speaks with whoever started it. */
export interface SettleListener {
  /** The locks are held from here on: `release` must be called before the process ends. */
  locked(release: () => void): void;
  /** Processes that may have files open, and could not be looked at. */
  unseen(processes: readonly NamedProcess[]): void;
  readonly linked?: LinkedListener;
  readonly progress?: Progress | undefined;
  /** Reads the copies; in this thread if not given. */
  readonly runner?: JobRunner;
}

/**
 * Settles copies: each is brought down to its recorded end and fenced, or it is told why not. An interrupt
 * can end it between two copies, and while one is read; never while one is changed.
 *
 * @throws InvalidInputError for bad inputs, RefusedError if the quarantine lies in a log root.
 */
export async function settle(
  disk: Disk,
  request: SettleRequest,
  listener: SettleListener,
): Promise<SettleAnswer> {
  const { inputs, apply, assumeUnused } = request;
  const { nodes, ignoreFormat = false } = inputs;
  checkNodeRoots(disk, nodes, { ignoreFormat: true });
  const roots = nodes.map(({ root }) => root);
  const quarantine =
    request.quarantine === null ? null : resolveQuarantine(disk, request.quarantine, roots);

  const open = openGates(disk, nodes, { apply, assumeUnused, ignoreFormat });
  listener.locked(() => open.release());
  try {
    listener.unseen(open.unseen);
    const located = new Map<string, LocatedCopies>();
    for (const [node, gate] of open.gates) {
      located.set(node, await LocatedCopies.find(disk, gate, listener.progress));
    }
    const work = await planWork(disk, request, located, listener.progress);
    const results = await sealAll(disk, work, { ...request, quarantine }, listener);
    const { nextAfter, remaining, measured, waiting, findings, errors } = work;
    const head = { applied: apply, results, nextAfter, remaining, measured, waiting };
    return { ...head, ...findings, summary: summarise(results), errors };
  } finally {
    open.release();
  }
}

function planWork(
  disk: Disk,
  { plan, inputs, all, dropRot }: SettleRequest,
  located: ReadonlyMap<string, LocatedCopies>,
  progress: Progress | undefined,
): SettleWork | Promise<SettleWork> {
  return plan === null
    ? workFromInputs(disk, inputs, located, { all, dropRot, progress })
    : workFromPlan(disk, plan, inputs.metadata, located);
}

/** Copies that are read before the first of them is changed: what was read of them is held in memory. */
const READ_AHEAD = 64;

async function sealAll(
  disk: Disk,
  { items }: SettleWork,
  options: SettleRequest,
  { linked, progress, runner = inProcessRunner(disk, progress) }: SettleListener,
): Promise<SealResult[]> {
  const results: SealResult[] = [];
  const jobs = items.map((item) => jobOf(item, options.dropRot));
  const bytes = totalBytes(jobs.filter((job) => job !== null));
  await withProgress(progress, bytes, 'bytes', async () => {
    for (let first = 0; first < items.length; first += READ_AHEAD) {
      const batch = items.slice(first, first + READ_AHEAD);
      const due = jobs.slice(first, first + READ_AHEAD).filter((job) => job !== null);
      const outcomes = (await runner.run('settle', due)).values();
      for (const { copy, obstacle } of batch) {
        await breathe();
        const outcome = obstacle ? null : outcomes.next().value;
        const problem = obstacle ?? (outcome?.ok === false ? outcome.problem : null);
        if (problem) results.push(failedResult(disk, copy, problem));
        if (problem || outcome?.ok !== true) continue;
        const { present, changes } = outcome.value;
        const cut = changes.filter(({ kind }) => kind === 'cut').map(({ name }) => name);
        for (const file of linkedFiles(copy.directory, present, cut)) linked?.(file);
        results.push(sealLookedAt(disk, copy, outcome.value, options));
      }
    }
  });
  return results;
}

function jobOf({ copy, obstacle }: WorkItem, dropRot: boolean): Job<'settle'> | null {
  if (obstacle) return null;
  const bytes = Number(copy.plannedBytes ?? 0n);
  return { path: copy.directory, bytes, input: { copy, dropRot } };
}

function summarise(results: readonly SealResult[]): Record<SealOutcome, number> {
  const count = (outcome: SealOutcome): number =>
    results.filter((result) => result.outcome === outcome).length;
  return {
    trimmed: count('trimmed'),
    fenced: count('fenced'),
    confirmed: count('confirmed'),
    short: count('short'),
    damaged: count('damaged'),
    failed: count('failed'),
    refused: count('refused'),
    stale: count('stale'),
  };
}
