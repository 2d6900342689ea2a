import { basename, dirname, resolve } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { breathe } from './breathe.js';
import { placeOf } from './copy-targets.js';
import type { FileTarget, TargetOptions } from './inspect-targets.js';
import { resolveTargets, sizeOf } from './inspect-targets.js';
import type { Job, JobRunner } from './jobs.js';
import { inProcessRunner } from './jobs.js';
import type { LinkedListener } from './linked-files.js';
import { linkedFiles } from './linked-files.js';
import type { Problem } from './problem.js';
import { orProblem } from './problem.js';
import { resolveQuarantine } from './quarantine-place.js';
import type { RecoveredFileReport, RecoverOptions } from './recover-file.js';
import { finishEarlier, recoverLookedAt } from './recover-file.js';
import { WritableRoots } from './writable-roots.js';

export interface RecoverAnswer {
  readonly applied: boolean;
  /** The last file of each copy, in the order of their paths. */
  readonly files: readonly RecoveredFileReport[];
  /** What could not be answered, or not be done. */
  readonly errors: readonly Problem[];
  readonly summary: Readonly<Record<RecoveredFileReport['outcome'], number>> & {
    readonly files: number;
  };
}

export interface RecoverRequest extends RecoverOptions, TargetOptions {
  /** Hears how to give the locks back, should the process have to end. */
  readonly onLock: (release: () => void) => void;
  readonly onLinked?: LinkedListener;
}

/**
 * Does to the last file of each copy what a node's restart does, or tells what that is. What cannot be done is
 * among the errors and stops nothing else.
 *
 * @throws RefusedError if the quarantine lies in a log root.
 */
export async function recover(
  disk: Disk,
  paths: readonly string[],
  request: RecoverRequest,
  runner: JobRunner = inProcessRunner(disk),
): Promise<RecoverAnswer> {
  const targets = resolveTargets(disk, paths, request);
  const errors: Problem[] = [...targets.problems];
  const files: RecoveredFileReport[] = [];
  const last = lastOfEach(targets.files, paths);
  const quarantine = quarantineFor(disk, last, request, errors);
  const roots = new WritableRoots(disk);
  request.onLock(() => roots.release());
  try {
    const due = last.flatMap((target): Due[] => {
      if (!request.apply) return [{ target, finished: null }];
      const ready = orProblem(target.path, errors, (): Due => {
        return { target, finished: finishEarlier(disk, target, roots, request.assumeUnused) };
      });
      return ready ? [ready] : [];
    });
    const outcomes = await runner.run('recover', jobsOf(disk, due, request));
    for (const [at, { target, finished }] of due.entries()) {
      await breathe();
      const outcome = outcomes[at];
      if (outcome?.ok === false) errors.push(outcome.problem);
      if (outcome?.ok !== true) continue;
      const { value } = outcome;
      const options = { ...request, quarantine };
      const { place, present, change } = value;
      const cut = change?.kind === 'cut' ? [basename(target.path)] : [];
      for (const file of linkedFiles(place.directory, present, cut)) request.onLinked?.(file);
      const report = request.apply
        ? orProblem(target.path, errors, () =>
            recoverLookedAt(disk, target, value, finished, options),
          )
        : value.report;
      if (report) files.push(report);
      else if (errors.at(-1)?.exitCode === 4) files.push(refusedReport(value.report));
    }
  } finally {
    roots.release();
  }
  return { applied: request.apply, files, errors, summary: summarise(files) };
}

/** A file that was looked at, and then not to be touched; the error says why. */
function refusedReport(report: RecoveredFileReport): RecoveredFileReport {
  const { fileBytes } = report;
  return { ...report, outcome: 'refused', afterBytes: fileBytes, reason: null };
}

/** A file to recover, and the entry of an earlier recovery of it that was finished just now. */
interface Due {
  readonly target: FileTarget;
  readonly finished: string | null;
}

function jobsOf(disk: Disk, due: readonly Due[], request: RecoverRequest): Job<'recover'>[] {
  const { preallocBytes, discardRecoverable } = request;
  const options = { preallocBytes, discardRecoverable };
  return due.map(({ target }) => {
    return { path: target.path, bytes: sizeOf(disk, target), input: { target, options } };
  });
}

/** A file that was named itself is looked at whatever else its copy holds. */
function lastOfEach(files: readonly FileTarget[], paths: readonly string[]): FileTarget[] {
  const named = new Set(paths.map((path) => resolve(path)));
  const last = new Map<string, FileTarget>();
  for (const file of files) {
    const directory = dirname(resolve(file.path));
    const other = last.get(directory);
    if (!other || other.baseOffset < file.baseOffset) last.set(directory, file);
  }
  const lastFiles = new Set(last.values());
  return files.filter((file) => lastFiles.has(file) || named.has(resolve(file.path)));
}

function quarantineFor(
  disk: Disk,
  files: readonly FileTarget[],
  { apply, quarantine }: RecoverRequest,
  errors: Problem[],
): string | null {
  if (quarantine === null || !apply) return null;
  const roots = new Set<string>();
  for (const file of files) {
    const place = orProblem(file.path, errors, () => placeOf(disk, file));
    if (place) roots.add(place.logRoot);
  }
  return resolveQuarantine(disk, quarantine, [...roots]);
}

function summarise(files: readonly RecoveredFileReport[]): RecoverAnswer['summary'] {
  const count = (outcome: RecoveredFileReport['outcome']): number =>
    files.filter((file) => file.outcome === outcome).length;
  return {
    files: files.length,
    none: count('none'),
    discarded: count('discarded'),
    extended: count('extended'),
    preserved: count('preserved'),
    refused: count('refused'),
  };
}
