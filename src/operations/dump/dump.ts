import type { Disk } from '../../disk/disk.js';
import type { FileTarget } from '../inspect-targets.js';
import { sizeOf } from '../inspect-targets.js';
import type { Problem } from '../problem.js';
import { toProblem } from '../problem.js';
import type { Progress } from '../progress.js';
import type { DumpedRecord, FileDamage } from './dump-file.js';
import { dumpFileSteps } from './dump-file.js';

export interface DumpOptions {
  /** Only records that carry this offset or a higher one. */
  readonly fromOffset: bigint;
  /** Records at most; no byte is read for more. */
  readonly limit: number;
  /** The last record first. */
  readonly reverse: boolean;
  readonly progress?: Progress | undefined;
}

export interface DumpEnd {
  readonly records: number;
  /** What the records read are not followed by; not looked for where the limit ended the dump. */
  readonly damages: readonly FileDamage[];
  readonly errors: readonly Problem[];
}

/**
 * Yields the records of a log's files in order, each where it lies, and numbers now and then. A record can
 * be read until the next step. What is damaged or cannot be read ends its file, and no other.
 *
 * @param files of one log, in the order of their base offsets.
 */
export function* dumpSteps(
  disk: Disk,
  files: readonly FileTarget[],
  options: DumpOptions,
): Generator<number | DumpedRecord, DumpEnd> {
  const due = filesInOrder(files, options);
  const { progress } = options;
  progress?.begin(bytesToRead(disk, due, options), 'bytes');
  try {
    return yield* dumpInTurn(disk, due, options);
  } finally {
    progress?.end();
  }
}

/** `null` where it is not known: a limit ends the dump anywhere, and an index leads past the front of a file. */
function bytesToRead(
  disk: Disk,
  files: readonly FileTarget[],
  { fromOffset, limit }: DumpOptions,
): number | null {
  const isWhole = limit === Infinity && files.every(({ baseOffset }) => baseOffset >= fromOffset);
  return isWhole ? files.reduce((sum, file) => sum + sizeOf(disk, file), 0) : null;
}

function* dumpInTurn(
  disk: Disk,
  files: readonly FileTarget[],
  options: DumpOptions,
): Generator<number | DumpedRecord, DumpEnd> {
  const damages: FileDamage[] = [];
  const errors: Problem[] = [];
  let records = 0;
  for (const file of files) {
    try {
      for (const step of dumpFileSteps(disk, file, options)) {
        if (typeof step === 'object' && 'damage' in step) {
          damages.push(step.damage);
          continue;
        }
        yield step;
        if (typeof step === 'object') records++;
        if (records === options.limit) return { records, damages, errors };
      }
    } catch (error) {
      errors.push(toProblem(file.path, error));
    }
  }
  return { records, damages, errors };
}

/** Leaves out the files that end before the offset asked for: those with a next one that starts up to it. */
function filesInOrder(
  files: readonly FileTarget[],
  { fromOffset, reverse }: DumpOptions,
): readonly FileTarget[] {
  const first = files.findLastIndex(({ baseOffset }) => baseOffset <= fromOffset);
  const due = files.slice(Math.max(0, first));
  return reverse ? due.reverse() : due;
}
