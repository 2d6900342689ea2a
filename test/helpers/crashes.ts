import type { Disk } from '../../src/disk/disk.js';
import { StorageError } from '../../src/errors.js';
import type { PowerLoss } from './durable-image.js';
import type { CrashMoment } from './faulty-disk.js';
import { CrashError, FaultyDisk } from './faulty-disk.js';

/** What is left of changes that no fsync followed. */
const LOSSES: Record<string, PowerLoss | null> = {
  'process killed': null,
  'unsynced lost': { names: 'synced', keep: () => false },
  'unsynced bytes lost': { names: 'all', keep: () => false },
  'unsynced writes lost': { names: 'synced', keep: ({ kind }) => kind === 'truncate' },
  'unsynced truncations lost': { names: 'all', keep: ({ kind }) => kind === 'write' },
};

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
 * Runs `work` once whole, then with a crash before, halfway and after each operation that can change the
 * disk, each with every kind of loss, and lets `check` look at what is left.
 *
 * @returns how many crashes there were.
 */
export function forEachCrash<T>(scenario: CrashScenario<T>): number {
  const whole = scenario.prepare();
  const counting = new FaultyDisk();
  scenario.work(counting, whole);
  scenario.check(whole, 'no crash');

  let crashes = 0;
  for (let nth = 1; nth <= counting.changes; nth++) {
    for (const when of ['before', 'halfway', 'after'] satisfies CrashMoment[]) {
      for (const [name, loss] of Object.entries(LOSSES)) {
        const state = scenario.prepare();
        const disk = new FaultyDisk(scenario.root(state));
        disk.injectAtChange({ kind: 'crash', when }, nth);
        expectCrash(() => {
          scenario.work(disk, state);
        });
        if (loss) disk.losePower(loss);
        const { name: operation = 'nothing', path = '' } = disk.calls.at(-1) ?? {};
        scenario.check(state, `${name}, crash ${when} change ${nth} (${operation} ${path})`);
        crashes++;
      }
    }
  }
  return crashes;
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
