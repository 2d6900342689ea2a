import type { Disk } from '../disk/disk.js';
import type { TailClass } from '../format/tail.js';
import type { FileReport, InspectFileOptions } from './inspect-file.js';
import type { TargetOptions } from './inspect-targets.js';
import { resolveTargets, sizeOf } from './inspect-targets.js';
import type { JobRunner } from './jobs.js';
import { inProcessRunner } from './jobs.js';
import type { Problem } from './problem.js';

export interface InspectSummary extends Record<TailClass, number> {
  readonly files: number;
  readonly records: number;
  readonly fileBytes: number;
  readonly validBytes: number;
  readonly badIndex: number;
  /** Files with records out of sequence. */
  readonly outOfSequence: number;
}

export interface Inspection {
  /** In the order of their paths. */
  readonly files: readonly FileReport[];
  /** What could not be answered. */
  readonly errors: readonly Problem[];
  readonly summary: InspectSummary;
}

/** Of these `preallocBytes` is 0 if it is not given: a node without preallocation. */
export type InspectOptions = Partial<InspectFileOptions> & TargetOptions;

/**
 * Looks at every segment file that the paths (files, segment directories, log roots) stand for, as a
 * node's recovery would. Opens files for reading only and changes nothing. What cannot be answered is
 * among the errors and stops nothing else.
 */
export async function inspect(
  disk: Disk,
  paths: readonly string[],
  options: InspectOptions = {},
  runner: JobRunner = inProcessRunner(disk),
): Promise<Inspection> {
  const targets = resolveTargets(disk, paths, options);
  const { preallocBytes = 0, map = false, hex = false } = options;
  const jobs = targets.files.map((target) => ({
    path: target.path,
    bytes: sizeOf(disk, target),
    input: { target, options: { preallocBytes, map, hex } },
  }));
  const files: FileReport[] = [];
  const errors: Problem[] = [...targets.problems];
  for (const outcome of await runner.run('inspect', jobs)) {
    if (outcome.ok) {
      files.push(outcome.value.report);
      errors.push(...outcome.value.problems);
    } else {
      errors.push(outcome.problem);
    }
  }
  return { files, errors, summary: summarise(files) };
}

function summarise(files: readonly FileReport[]): InspectSummary {
  const count = (test: (file: FileReport) => boolean): number => files.filter(test).length;
  const sum = (size: (file: FileReport) => number): number =>
    files.reduce((total, file) => total + size(file), 0);
  return {
    files: files.length,
    records: sum((file) => file.records),
    fileBytes: sum((file) => file.fileBytes),
    validBytes: sum((file) => file.validBytes),
    clean: count((file) => file.classification === 'clean'),
    blank: count((file) => file.classification === 'blank'),
    torn: count((file) => file.classification === 'torn'),
    rot: count((file) => file.classification === 'rot'),
    badIndex: count((file) => file.index.status === 'bad'),
    outOfSequence: count((file) => file.offsets.outOfSequence > 0),
  };
}

/** Whether a file needs attention: damage, a bad index, or offsets that are not in sequence. */
export function hasFinding(file: FileReport): boolean {
  return (
    file.classification === 'torn' ||
    file.classification === 'rot' ||
    file.index.status === 'bad' ||
    file.offsets.outOfSequence > 0
  );
}
