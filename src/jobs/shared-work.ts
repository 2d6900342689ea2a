import type { Disk } from '../disk/disk.js';
import type { Job, JobKind, JobOutcome } from '../operations/jobs.js';
import { runJob } from '../operations/jobs.js';

/** Files are taken in batches, so that tiny ones do not cost a message each. */
const BATCH_JOBS = 64;
const BATCH_BYTES = 16 * 1024 * 1024;

/** Jobs that are taken together; their outcomes are answered together. */
export interface Batch<K extends JobKind> {
  /** Number of the first job among all. */
  readonly first: number;
  readonly jobs: readonly Job<K>[];
}

/** The outcomes of a batch. */
export interface BatchOutcomes<K extends JobKind> {
  readonly first: number;
  readonly outcomes: readonly JobOutcome<K>[];
}

/** All the work of one run, as every thread that takes part in it knows it. */
export interface SharedWork<K extends JobKind> {
  readonly kind: K;
  readonly batches: readonly Batch<K>[];
  /** Two counters: batches taken, and KiB done. */
  readonly counters: SharedArrayBuffer;
}

const TAKEN = 0;
const DONE_KIB = 1;

export function shareWork<K extends JobKind>(kind: K, jobs: readonly Job<K>[]): SharedWork<K> {
  return { kind, batches: splitIntoBatches(jobs), counters: new SharedArrayBuffer(8) };
}

/** KiB that all threads have done so far. */
export function doneKib({ counters }: SharedWork<JobKind>): number {
  return Atomics.load(new Int32Array(counters), DONE_KIB);
}

/** Takes batch after batch until none is left, while other threads do the same. */
export async function workThrough<K extends JobKind>(
  disk: Disk,
  { kind, batches, counters }: SharedWork<K>,
  answer: (outcomes: BatchOutcomes<K>) => void,
): Promise<void> {
  const counter = new Int32Array(counters);
  let restBytes = 0;
  const advance = (bytes: number): void => {
    const kib = Math.floor((restBytes + bytes) / 1024);
    restBytes += bytes - kib * 1024;
    Atomics.add(counter, DONE_KIB, kib);
  };
  for (;;) {
    const batch = batches[Atomics.add(counter, TAKEN, 1)];
    if (!batch) return;
    const outcomes = [];
    for (const job of batch.jobs) outcomes.push(await runJob(disk, kind, job, advance));
    answer({ first: batch.first, outcomes });
  }
}

function splitIntoBatches<K extends JobKind>(jobs: readonly Job<K>[]): Batch<K>[] {
  const batches: Batch<K>[] = [];
  let start = 0;
  let bytes = 0;
  jobs.forEach((job, at) => {
    bytes += job.bytes;
    if (at + 1 - start < BATCH_JOBS && bytes < BATCH_BYTES && at + 1 < jobs.length) return;
    batches.push({ first: start, jobs: jobs.slice(start, at + 1) });
    start = at + 1;
    bytes = 0;
  });
  return batches;
}
