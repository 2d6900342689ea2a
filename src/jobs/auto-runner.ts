import type { Disk } from '../disk/disk.js';
import type { JobRunner } from '../operations/jobs.js';
import { inProcessRunner } from '../operations/jobs.js';
import type { Progress } from '../operations/progress.js';
import { totalBytes } from '../operations/progress.js';
import { WORTH_A_WORKER_BYTES } from './likely-work.js';

/**
 * Runs jobs in this thread where there is little to do, else in `workers` threads.
 *
 * @param workers 1 or more; 1 always runs in this thread.
 */
export function autoRunner(disk: Disk, workers: number, progress?: Progress): JobRunner {
  return {
    run: async (kind, jobs) => {
      if (workers === 1 || jobs.length < 2 || totalBytes(jobs) < WORTH_A_WORKER_BYTES) {
        return inProcessRunner(disk, progress).run(kind, jobs);
      }
      const { poolRunner } = await import('./pool.js');
      return poolRunner(workers, progress).run(kind, jobs);
    },
  };
}
