import type { Disk } from '../disk/disk.js';
import type { TargetOptions } from './inspect-targets.js';
import { resolveTargets, sizeOf } from './inspect-targets.js';
import { runFiled } from './jobs.js';
import type { Problem } from './problem.js';
import type { Progress } from './progress.js';
import { totalBytes, withProgress } from './progress.js';
import type { IndexState, ReindexedFile, ReindexOptions } from './reindex-file.js';
import { reindexFileSteps } from './reindex-file.js';
import { WritableRoots } from './writable-roots.js';

export interface ReindexAnswer {
  readonly applied: boolean;
  /** The files that are due a sidecar: sealed ones, and those that have one. In the order of their paths. */
  readonly files: readonly ReindexedFile[];
  /** What could not be answered, or not be done. */
  readonly errors: readonly Problem[];
  readonly summary: Readonly<Record<IndexState, number>> & {
    readonly files: number;
    readonly rebuilt: number;
    /** Files that are not sealed and have no sidecar: none is due. */
    readonly unsealed: number;
  };
}

export interface ReindexRequest extends ReindexOptions, TargetOptions {
  /** Hears how to give the locks back, should the process have to end. */
  readonly onLock: (release: () => void) => void;
  readonly progress?: Progress | undefined;
}

/** Rebuilds sidecars that are missing or bad. What cannot be done is among the errors and stops nothing else. */
export async function reindex(
  disk: Disk,
  paths: readonly string[],
  request: ReindexRequest,
): Promise<ReindexAnswer> {
  const targets = resolveTargets(disk, paths, request);
  const errors: Problem[] = [...targets.problems];
  const files: ReindexedFile[] = [];
  const due = targets.files
    .filter(({ sealed, fenced, indexed }) => sealed || fenced || indexed)
    .map((target) => ({ target, bytes: sizeOf(disk, target) }));
  const roots = new WritableRoots(disk);
  request.onLock(() => roots.release());
  const { progress } = request;
  try {
    await withProgress(progress, totalBytes(due), 'bytes', async () => {
      for (const { target, bytes } of due) {
        const outcome = await runFiled(
          { path: target.path, bytes },
          () => reindexFileSteps(disk, target, roots, request),
          (more) => progress?.advance(more),
        );
        if (outcome.ok) files.push(outcome.value);
        else errors.push(outcome.problem);
      }
    });
  } finally {
    roots.release();
  }
  const unsealed = targets.files.length - due.length;
  return { applied: request.apply, files, errors, summary: summarise(files, unsealed) };
}

function summarise(files: readonly ReindexedFile[], unsealed: number): ReindexAnswer['summary'] {
  const count = (state: IndexState): number => files.filter((file) => file.state === state).length;
  return {
    files: files.length,
    ok: count('ok'),
    other: count('other'),
    partial: count('partial'),
    bad: count('bad'),
    missing: count('missing'),
    damaged: count('damaged'),
    rebuilt: files.filter((file) => file.rebuilt).length,
    unsealed,
  };
}
