import { parentPort } from 'node:worker_threads';
import { nodeDisk } from '../disk/node-disk.js';
import type { JobKind } from '../operations/jobs.js';
import type { SharedWork } from './shared-work.js';
import { workThrough } from './shared-work.js';

// One piece of work is all that a thread is given.
parentPort?.once('message', (work: SharedWork<JobKind>) => {
  void workThrough(nodeDisk, work, (outcomes) => {
    parentPort?.postMessage(outcomes);
  });
});
