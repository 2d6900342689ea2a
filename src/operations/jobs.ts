import type { Disk } from '../disk/disk.js';
import { runBreathing } from './breathe.js';
import type { CopyReading } from './compare-copy.js';
import type { InspectFileOptions, InspectedFile } from './inspect-file.js';
import type { FileTarget } from './inspect-targets.js';
import type { CopyToSeal, LookedAt } from './look-at-copy.js';
import type { Problem } from './problem.js';
import { toProblem } from './problem.js';
import type { Progress } from './progress.js';
import { forwardOnly, totalBytes, withProgress } from './progress.js';
import type { LookedAtLast, RecoverLookOptions } from './recover-file.js';

/** Work on one file or one copy: plain data in, plain data out, so that a worker thread can do it. */
export type JobSteps<Input, Output> = (disk: Disk, input: Input) => Generator<number, Output>;

/** Input and output of each kind of job. */
export interface JobTypes {
  inspect: {
    input: { readonly target: FileTarget; readonly options: InspectFileOptions };
    output: InspectedFile;
  };
  compare: {
    /** A copy's directory. */
    input: { readonly path: string };
    output: CopyReading;
  };
  settle: {
    input: { readonly copy: CopyToSeal; readonly dropRot: boolean };
    output: LookedAt;
  };
  recover: {
    input: { readonly target: FileTarget; readonly options: RecoverLookOptions };
    output: LookedAtLast;
  };
}

export type JobKind = keyof JobTypes;
export type JobInput<K extends JobKind> = JobTypes[K]['input'];
export type JobOutput<K extends JobKind> = JobTypes[K]['output'];

/** The code of each kind, loaded when it is first needed. */
const jobTable: { [K in JobKind]: () => Promise<JobSteps<JobInput<K>, JobOutput<K>>> } = {
  inspect: async () => {
    const { inspectFileSteps } = await import('./inspect-file.js');
    return (disk, { target, options }) => inspectFileSteps(disk, target, options);
  },
  compare: async () => {
    const { readCopySteps } = await import('./compare-copy.js');
    return (disk, { path }) => readCopySteps(disk, path);
  },
  settle: async () => {
    const { lookSteps } = await import('./look-at-copy.js');
    return (disk, { copy, dropRot }) => lookSteps(disk, copy, dropRot);
  },
  recover: async () => {
    const { lookAtLastFileSteps } = await import('./recover-file.js');
    return (disk, { target, options }) => lookAtLastFileSteps(disk, target, options);
  },
};

export interface Job<K extends JobKind> {
  /** What the job is about, to name it when it fails. */
  readonly path: string;
  /** Bytes that it will read, as far as is known: for progress and for sharing out. */
  readonly bytes: number;
  readonly input: JobInput<K>;
}

/** An answer, or the problem that stood in its way. */
export type Outcome<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem };

export type JobOutcome<K extends JobKind> = Outcome<JobOutput<K>>;

/** Runs jobs, here or in worker threads; the outcomes come in the order of the jobs. */
export interface JobRunner {
  run<K extends JobKind>(kind: K, jobs: readonly Job<K>[]): Promise<JobOutcome<K>[]>;
}

/** Runs one job and files its expected error as data. */
export async function runJob<K extends JobKind>(
  disk: Disk,
  kind: K,
  job: Job<K>,
  advance: (bytes: number) => void,
): Promise<JobOutcome<K>> {
  const steps = await jobTable[kind]();
  return runFiled(job, () => steps(disk, job.input), advance);
}

/** Runs work on one file or copy and files its expected error as data; then all its bytes count as done. */
export async function runFiled<T>(
  { path, bytes }: Pick<Job<JobKind>, 'path' | 'bytes'>,
  steps: () => Generator<number, T>,
  advance: (bytes: number) => void,
): Promise<Outcome<T>> {
  const reach = forwardOnly(bytes, advance);
  try {
    return { ok: true, value: await runBreathing(steps(), reach) };
  } catch (error) {
    return { ok: false, problem: toProblem(path, error) };
  } finally {
    reach(bytes);
  }
}

/** Runs job after job in this thread. */
export function inProcessRunner(disk: Disk, progress?: Progress): JobRunner {
  return {
    run: (kind, jobs) =>
      withProgress(progress, totalBytes(jobs), 'bytes', async () => {
        const outcomes = [];
        for (const job of jobs) {
          outcomes.push(await runJob(disk, kind, job, (bytes) => progress?.advance(bytes)));
        }
        return outcomes;
      }),
  };
}
