import type { Progress, ProgressUnit } from '../../src/operations/progress.js';

/** One stretch of work, as it told of itself. */
export interface HeardWork {
  readonly total: number | null;
  readonly unit: ProgressUnit;
  /** Sum of what it advanced by, how often it did, and the most at once. */
  done: number;
  steps: number;
  largest: number;
  ended: boolean;
}

/** Listens to work; an advance backwards, or outside any work, is an error. */
export function listener(): { readonly progress: Progress; readonly heard: HeardWork[] } {
  const heard: HeardWork[] = [];
  const open: HeardWork[] = [];
  const current = (): HeardWork => {
    const last = open.at(-1);
    if (!last) throw new Error('progress outside of any work');
    return last;
  };
  const progress: Progress = {
    begin: (total, unit) => {
      const work = { total, unit, done: 0, steps: 0, largest: 0, ended: false };
      heard.push(work);
      open.push(work);
    },
    advance: (done) => {
      if (done < 0) throw new Error(`progress went back by ${-done}`);
      current();
      // Work inside other work counts towards that too.
      for (const work of open) {
        work.done += done;
        work.steps++;
        work.largest = Math.max(work.largest, done);
      }
    },
    end: () => {
      current().ended = true;
      open.pop();
    },
  };
  return { progress, heard };
}
