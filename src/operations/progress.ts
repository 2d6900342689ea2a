import { runBreathing } from './breathe.js';

/** What work is counted in. */
export type ProgressUnit = 'bytes' | 'copies' | 'cases';

/**
 * Hears how work goes on. Work may begin inside other work of the same unit: then it counts towards the
 * outer one, whose total includes it.
 */
export interface Progress {
  /** @param total `null` if that is not known beforehand. */
  begin(total: number | null, unit: ProgressUnit): void;
  /** @param done what was done since the last call, in the work's unit. */
  advance(done: number): void;
  /** Ends what was begun last. */
  end(): void;
}

/** Bytes of work in all, as far as is known. */
export function totalBytes(items: readonly { readonly bytes: number }[]): number {
  return items.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Does work between the beginning and the end of its progress, however it ends. */
export async function withProgress<T>(
  progress: Progress | undefined,
  total: number | null,
  unit: ProgressUnit,
  work: () => T | Promise<T>,
): Promise<T> {
  progress?.begin(total, unit);
  try {
    return await work();
  } finally {
    progress?.end();
  }
}

/**
 * Turns the positions that are reached in a file into progress: behind a damage the bytes are read again,
 * and progress cannot go back.
 *
 * @param size the file's, in bytes, as far as it is known: nothing counts beyond it.
 * @param from position in front of which nothing counts.
 */
export function forwardOnly(
  size: number,
  advance: (bytes: number) => void,
  from = 0,
): (position: number) => void {
  let reached = from;
  return (position) => {
    const now = Math.min(position, size);
    if (now <= reached) return;
    advance(now - reached);
    reached = now;
  };
}

/** Runs a listing of copies, which yields how many it has found so far. */
export function runListing<T>(
  steps: Generator<number, T>,
  progress: Progress | undefined,
): Promise<T> {
  let seen = 0;
  return withProgress(progress, null, 'copies', () =>
    runBreathing(steps, (found) => {
      progress?.advance(found - seen);
      seen = found;
    }),
  );
}
