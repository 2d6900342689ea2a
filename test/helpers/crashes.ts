import type { Disk } from '../../src/disk/disk.js';
import { StorageError } from '../../src/errors.js';
import type { PowerLoss } from './durable-image.js';
import type { CrashMoment, DiskCall } from './faulty-disk.js';
import { CrashError, FaultyDisk } from './faulty-disk.js';

/** What is left of changes that no fsync followed. */
const LOSSES: Record<string, PowerLoss | null> = {
  'process killed': null,
  'unsynced lost': { names: 'synced', keep: () => false },
  'unsynced bytes lost': { names: 'all', keep: () => false },
  'unsynced writes lost': { names: 'synced', keep: ({ kind }) => kind === 'truncate' },
  'unsynced truncations lost': { names: 'all', keep: ({ kind }) => kind === 'write' },
};

const MOMENTS: readonly CrashMoment[] = ['before', 'after'];
const WRITE_MOMENTS: readonly CrashMoment[] = ['before', 'halfway', 'after'];

export interface CrashScenario<T> {
  /** Makes a fresh starting point; called once a crash. */
  readonly prepare: () => T;
  /** The directory whose changes an fsync makes durable; its own name counts as durable. */
  readonly root: (state: T) => string;
  /** The work that crashes somewhere; must not catch `CrashError`. */
  readonly work: (disk: Disk, state: T) => void;
  /** Looks at what the crash left. `where` describes the crash, for messages. */
  readonly check: (state: T, where: string) => void;
}

/**
 * Runs `work` whole, then with a crash before, halfway through (a write) and after each operation that can change
 * the disk, each time with every kind of loss, and lets `check` look at what is left.
 *
 * @returns how often it looked.
 */
export function forEachCrash<T>(scenario: CrashScenario<T>): number {
  let changes: DiskCall[] = [];
  for (const [name, loss] of Object.entries(LOSSES)) {
    const state = scenario.prepare();
    const disk = new FaultyDisk(scenario.root(state));
    scenario.work(disk, state);
    changes = disk.calls.filter((call) => call.changes);
    if (loss) disk.losePower(loss);
    scenario.check(state, `${name}, after the work`);
  }

  let looks = Object.keys(LOSSES).length;
  for (const [index, { name: operation, path }] of changes.entries()) {
    const nth = index + 1;
    for (const when of operation === 'write' ? WRITE_MOMENTS : MOMENTS) {
      for (const [name, loss] of Object.entries(LOSSES)) {
        const state = scenario.prepare();
        const disk = new FaultyDisk(scenario.root(state));
        disk.injectAtChange({ kind: 'crash', when }, nth);
        expectCrash(() => {
          scenario.work(disk, state);
        });
        if (loss) disk.losePower(loss);
        scenario.check(state, `${name}, crash ${when} change ${nth} (${operation} ${path})`);
        looks++;
      }
    }
  }
  return looks;
}

function expectCrash(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof CrashError) return;
    throw error;
  }
  throw new Error('the work swallowed its crash');
}

/** The code of the `StorageError` that `work` throws; anything else is thrown on. */
export function storageCode(work: () => unknown): string | null {
  try {
    work();
  } catch (error) {
    if (error instanceof StorageError) return error.code;
    throw error;
  }
  return null;
}
