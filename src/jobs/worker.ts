import { parentPort, workerData } from 'node:worker_threads';
import { nodeDisk } from '../disk/node-disk.js';
import type { Job, JobKind } from '../operations/jobs.js';
import { runJob } from '../operations/jobs.js';

/** What a worker is started with. */
export interface WorkerSetup {
  readonly kind: JobKind;
  /** KiB done by all workers, for the progress line. */
  readonly doneKib: SharedArrayBuffer;
}

/** A batch of jobs, answered with their outcomes in order. */
export interface Batch {
  readonly first: number;
  readonly jobs: readonly Job<JobKind>[];
}

const { kind, doneKib } = workerData as WorkerSetup;
const counter = new Int32Array(doneKib);
let rest = 0;

function advance(bytes: number): void {
  const kib = Math.floor((rest + bytes) / 1024);
  rest = rest + bytes - kib * 1024;
  Atomics.add(counter, 0, kib);
}

parentPort?.on('message', ({ first, jobs }: Batch) => {
  void (async () => {
    const outcomes = [];
    for (const job of jobs) outcomes.push(await runJob(nodeDisk, kind, job, advance));
    parentPort?.postMessage({ first, outcomes });
  })();
});
