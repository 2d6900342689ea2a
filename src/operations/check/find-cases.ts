import { join } from 'node:path';
import type { Disk } from '../../disk/disk.js';
import { isMissing } from '../../disk/durable.js';
import { InvalidInputError } from '../../errors.js';
import type { Problem } from '../problem.js';
import { orProblem } from '../problem.js';

export const CASE_FILE = 'case.json';

/** A directory with a `case.json`. */
export interface FoundCase {
  /** Its path from the directory that was searched. */
  readonly name: string;
  readonly directory: string;
}

/**
 * The cases at and below a directory, in the order of their names' bytes; a case holds no others.
 *
 * @throws InvalidInputError if the directory is not there, or holds no case.
 */
export function findCases(disk: Disk, directory: string, problems: Problem[]): FoundCase[] {
  const cases: FoundCase[] = [];
  const visit = (path: string, name: string): void => {
    const entries = disk.readDirectory(path);
    if (entries.some((entry) => entry.name === CASE_FILE)) {
      cases.push({ name: name || '.', directory: path });
      return;
    }
    for (const entry of entries) {
      if (entry.kind !== 'directory') continue;
      const below = join(path, entry.name);
      orProblem(below, problems, () => visit(below, join(name, entry.name)));
    }
  };
  try {
    visit(directory, '');
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new InvalidInputError(`${directory}: no such directory`, 'ENOENT');
  }
  if (cases.length === 0 && problems.length === 0) {
    const expected = `expected directories with a ${CASE_FILE} each, found none`;
    throw new InvalidInputError(`${directory}: ${expected}`);
  }
  return cases;
}
