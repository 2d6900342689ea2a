import { parentPort, workerData } from 'node:worker_threads';
import { nodeDisk } from '../disk/node-disk.js';
import type { JobKind } from '../operations/jobs.js';
import type { SharedWork } from './shared-work.js';
import { workThrough } from './shared-work.js';

void workThrough(nodeDisk, workerData as SharedWork<JobKind>, (outcomes) => {
  parentPort?.postMessage(outcomes);
});
