import { basename, join } from 'node:path';
import { parseJson } from '../../control-plane/json-node.js';
import type { Disk } from '../../disk/disk.js';
import { attempt, isThere } from '../../disk/durable.js';
import { copyTree, makeTemporaryDirectory, removeTree } from '../../disk/tree.js';
import { InvalidInputError } from '../../errors.js';
import type { Difference } from '../../policy/json-containment.js';
import { missingFrom } from '../../policy/json-containment.js';
import type { CheckCase } from './case-file.js';
import { CASE_FILE, type FoundCase } from './find-cases.js';

/** What one run of the toolkit left. */
export interface FinishedRun {
  /** `null` if a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What cases are run with. */
export interface CheckTools {
  readonly disk: Disk;
  /** Runs a command line of the toolkit in a directory, to its end. */
  readonly run: (args: readonly string[], directory: string) => Promise<FinishedRun>;
  /** Registers what an interrupt has to clean up. @returns takes it back. */
  readonly onInterrupt: (cleanUp: () => void) => () => void;
}

/** How a case's run differs from what it asks for. */
export interface CaseRun {
  readonly exit: { readonly expected: number; readonly found: number | null };
  readonly differences: readonly Difference[];
  /** What the run said on stderr. */
  readonly stderr: string;
}

/** @throws InvalidInputError or StorageError if the case cannot be set up. */
export async function runCase(
  tools: CheckTools,
  found: FoundCase,
  wanted: CheckCase,
): Promise<CaseRun> {
  if (!wanted.inCopy) return judge(wanted, await tools.run(wanted.args, found.directory));
  const { disk } = tools;
  const temporary = makeTemporaryDirectory(disk);
  const remove = (): void => removeTree(disk, temporary);
  const release = tools.onInterrupt(() => attempt(remove));
  try {
    const directory = join(temporary, 'case');
    copyTree(disk, found.directory, directory);
    for (const path of wanted.copy) copyInto(disk, join(found.directory, path), directory, found);
    return judge(wanted, await tools.run(wanted.args, directory));
  } finally {
    release();
    remove();
  }
}

function copyInto(disk: Disk, from: string, directory: string, { directory: home }: FoundCase) {
  const to = join(directory, basename(from));
  const place = `${join(home, CASE_FILE)}: /copy`;
  if (!isThere(disk, from)) throw new InvalidInputError(`${place}: no such path ${from}`, 'ENOENT');
  if (isThere(disk, to)) {
    throw new InvalidInputError(`${place}: expected new names, found ${basename(to)} taken`);
  }
  copyTree(disk, from, to);
}

function judge(wanted: CheckCase, run: FinishedRun): CaseRun {
  return {
    exit: { expected: wanted.exit, found: run.exitCode },
    differences: wanted.json === undefined ? [] : compareAnswer(wanted.json, run.stdout),
    stderr: run.stderr,
  };
}

function compareAnswer(expected: unknown, stdout: string): Difference[] {
  let found: unknown;
  try {
    found = parseJson('stdout', stdout).value;
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    // An answer that is no JSON is shown as the text that it is.
    return [{ pointer: '', expected, found: stdout === '' ? undefined : stdout }];
  }
  return missingFrom(expected, found);
}
