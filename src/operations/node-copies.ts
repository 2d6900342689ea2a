import { basename } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { StorageError } from '../errors.js';
import { parseSegmentName } from '../format/names.js';
import { listLogRoot } from './log-root.js';
import type { NodeRoot } from './nodes.js';
import type { Problem } from './problem.js';
import { orProblem, toProblem } from './problem.js';

/** Where one node's copies are. */
export interface NodeListing {
  readonly node: string;
  /** Path of each copy's directory, by segment name; `null` for one that is there and cannot be read. */
  readonly copies: ReadonlyMap<string, string | null>;
  /** Whether every directory that can hold copies was listed: only then a copy that is not here is missing. */
  readonly complete: boolean;
  readonly problems: readonly Problem[];
}

/** Lists a node's copies; what cannot be listed is among the problems. */
export function listNode(disk: Disk, { node, root }: NodeRoot): NodeListing {
  const copies = new Map<string, string | null>();
  const problems: Problem[] = [];
  const listing = orProblem(root, problems, () => listLogRoot(disk, root));
  let complete = listing !== null;
  for (const problem of listing?.problems ?? []) {
    problems.push(problem);
    const name = basename(problem.path);
    if (parseSegmentName(name)) copies.set(name, null);
    else complete = false;
  }
  for (const { path } of listing?.copies ?? []) {
    const name = basename(path);
    const other = copies.get(name);
    if (other === undefined) {
      copies.set(name, path);
    } else {
      copies.set(name, null);
      if (other !== null) problems.push(toProblem(path, twice(path, other)));
    }
  }
  return { node, copies, complete, problems };
}

function twice(path: string, other: string): StorageError {
  const message = `${path}: expected one copy of a segment in a log root, found another at ${other}`;
  return new StorageError('EDUPLICATE', path, message);
}
