import { availableParallelism } from 'node:os';
import { nodeDisk } from '../disk/node-disk.js';
import { isLikelyLarge } from '../jobs/likely-work.js';

/**
 * Runs one command line. Where a worker thread is likely to be needed it starts while the rest of the program loads.
 *
 * @param argv the arguments, without the interpreter and the script.
 * @returns the exit code, once all output is written.
 */
export async function main(argv: readonly string[]): Promise<number> {
  if (availableParallelism() > 1 && isLikelyLarge(nodeDisk, argv)) {
    const { startAhead } = await import('../jobs/worker-start.js');
    startAhead();
  }
  const { run } = await import('./run.js');
  return run(argv);
}
