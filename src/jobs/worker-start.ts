import { Worker } from 'node:worker_threads';

let ahead: Worker | null = null;

/**
 * Starts a worker thread that most likely will be needed, while this thread still finds out what there is to do.
 * It waits for its work, and keeps no process alive.
 */
export function startAhead(): void {
  const worker = start();
  worker.unref();
  // Where it cannot start, that is told when a worker is needed.
  worker.once('error', () => (ahead = null));
  ahead = worker;
}

/** A worker thread that waits for its work: the one that was started ahead, or a new one. */
export function takeWorker(): Worker {
  const worker = ahead ?? start();
  ahead = null;
  worker.removeAllListeners('error').ref();
  return worker;
}

function start(): Worker {
  return new Worker(new URL('./worker.js', import.meta.url));
}
