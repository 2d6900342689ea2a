import { Worker } from 'node:worker_threads';

let ahead: Worker | null = null;

const forget = (): void => {
  ahead = null;
};

/**
 * Starts a worker thread that most likely will be needed, while this thread still finds out what there is to do.
 * It waits for its work, and keeps no process alive. Where it cannot start, there is none ahead.
 */
export function startAhead(): void {
  ahead = start();
  ahead?.once('error', forget).unref();
}

/**
 * So many worker threads that wait for their work, the one that was started ahead among them; fewer where the
 * system has no more.
 */
export function takeWorkers(count: number): Worker[] {
  const workers: Worker[] = [];
  while (workers.length < count) {
    const worker = ahead ?? start();
    if (!worker) break;
    if (worker === ahead) worker.off('error', forget).ref();
    ahead = null;
    workers.push(worker);
  }
  return workers;
}

function start(): Worker | null {
  try {
    return new Worker(new URL('./worker.js', import.meta.url));
  } catch {
    return null;
  }
}
