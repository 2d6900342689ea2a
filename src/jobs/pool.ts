import { Worker } from 'node:worker_threads';
import type { Job, JobKind, JobOutcome, JobProgress, JobRunner } from '../operations/jobs.js';
import type { Batch, WorkerSetup } from './worker.js';

/** Files go to a worker in batches, so that tiny ones do not cost a message each. */
const BATCH_JOBS = 64;
const BATCH_BYTES = 16 * 1024 * 1024;
const PROGRESS_INTERVAL_MS = 100;

/** Runs jobs in worker threads on the real file system. */
export function poolRunner(workers: number, progress?: JobProgress): JobRunner {
  return { run: (kind, jobs) => runInPool(kind, jobs, workers, progress) };
}

async function runInPool<K extends JobKind>(
  kind: K,
  jobs: readonly Job<K>[],
  workers: number,
  progress: JobProgress | undefined,
): Promise<JobOutcome<K>[]> {
  const batches = splitIntoBatches(jobs);
  const outcomes = new Array<JobOutcome<K>>(jobs.length);
  const setup: WorkerSetup = { kind, doneKib: new SharedArrayBuffer(4) };
  const stopWatching = watch(setup.doneKib, jobs, progress);
  const pool = Array.from(
    { length: Math.min(workers, batches.length) },
    () => new Worker(new URL('./worker.js', import.meta.url), { workerData: setup }),
  );
  try {
    await Promise.all(pool.map((worker) => serve(worker, batches, outcomes)));
    return outcomes;
  } finally {
    stopWatching();
    await Promise.all(pool.map((worker) => worker.terminate()));
  }
}

function splitIntoBatches<K extends JobKind>(jobs: readonly Job<K>[]): Batch[] {
  const batches: Batch[] = [];
  let start = 0;
  let bytes = 0;
  jobs.forEach((job, at) => {
    bytes += job.bytes;
    if (at + 1 - start < BATCH_JOBS && bytes < BATCH_BYTES && at + 1 < jobs.length) return;
    batches.push({ first: start, jobs: jobs.slice(start, at + 1) });
    start = at + 1;
    bytes = 0;
  });
  return batches.reverse();
}

/** Hands batches to one worker until none is left. */
function serve<K extends JobKind>(
  worker: Worker,
  batches: Batch[],
  outcomes: JobOutcome<K>[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (): void => {
      const batch = batches.pop();
      if (batch) worker.postMessage(batch);
      else resolve();
    };
    worker.on('message', (answer: { first: number; outcomes: JobOutcome<K>[] }) => {
      answer.outcomes.forEach((outcome, n) => (outcomes[answer.first + n] = outcome));
      next();
    });
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('a worker thread ended before its work did')));
    next();
  });
}

/** Feeds the progress from the workers' counter. @returns stops it. */
function watch<K extends JobKind>(
  doneKib: SharedArrayBuffer,
  jobs: readonly Job<K>[],
  progress: JobProgress | undefined,
): () => void {
  if (!progress) return () => undefined;
  const counter = new Int32Array(doneKib);
  let seenKib = 0;
  progress.begin(jobs.reduce((sum, { bytes }) => sum + bytes, 0));
  const timer = setInterval(() => {
    const kib = Atomics.load(counter, 0);
    progress.advance((kib - seenKib) * 1024);
    seenKib = kib;
  }, PROGRESS_INTERVAL_MS);
  return () => {
    clearInterval(timer);
    progress.end();
  };
}
