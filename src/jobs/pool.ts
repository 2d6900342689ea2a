import { nodeDisk } from '../disk/node-disk.js';
import type { Job, JobKind, JobOutcome, JobRunner } from '../operations/jobs.js';
import type { Progress } from '../operations/progress.js';
import { totalBytes } from '../operations/progress.js';
import type { BatchOutcomes, SharedWork } from './shared-work.js';
import { doneKib, shareWork, workThrough } from './shared-work.js';
import { takeWorkers } from './worker-start.js';

const PROGRESS_INTERVAL_MS = 100;

/**
 * Runs jobs on the real file system in so many threads. This one takes part: it works while the others are
 * still starting, and alone where the system gives no more.
 */
export function poolRunner(threads: number, progress?: Progress): JobRunner {
  return { run: (kind, jobs) => runInPool(kind, jobs, threads, progress) };
}

async function runInPool<K extends JobKind>(
  kind: K,
  jobs: readonly Job<K>[],
  threads: number,
  progress: Progress | undefined,
): Promise<JobOutcome<K>[]> {
  const work = shareWork(kind, jobs);
  const outcomes = new Array<JobOutcome<K>>(jobs.length);
  const pool = takeWorkers(Math.min(threads, work.batches.length) - 1);
  const stopWatching = watch(work, jobs, progress);
  try {
    await new Promise<void>((resolve, reject) => {
      let missing = jobs.length;
      const take = (answer: BatchOutcomes<K>): void => {
        answer.outcomes.forEach((outcome, n) => (outcomes[answer.first + n] = outcome));
        missing -= answer.outcomes.length;
        if (missing === 0) resolve();
      };
      for (const worker of pool) {
        worker.postMessage(work);
        worker.on('message', take).once('error', reject);
        worker.once('exit', (code) => {
          if (code !== 0) reject(new Error('a worker thread ended before its work did'));
        });
      }
      workThrough(nodeDisk, work, take).catch(reject);
    });
    return outcomes;
  } finally {
    stopWatching();
    for (const worker of pool) void worker.terminate();
  }
}

/** Feeds the progress from the threads' counter. @returns stops it. */
function watch<K extends JobKind>(
  work: SharedWork<K>,
  jobs: readonly Job<K>[],
  progress: Progress | undefined,
): () => void {
  if (!progress) return () => undefined;
  let seenKib = 0;
  progress.begin(totalBytes(jobs), 'bytes');
  const timer = setInterval(() => {
    const kib = doneKib(work);
    progress.advance((kib - seenKib) * 1024);
    seenKib = kib;
  }, PROGRESS_INTERVAL_MS);
  return () => {
    clearInterval(timer);
    progress.end();
  };
}
