import { basename } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { StorageError } from '../errors.js';
import { isForeignName, isShardName, parseSegmentName } from '../format/names.js';
import type { LogRootListing } from './log-root.js';
import { checkFormat, listLogRootSteps } from './log-root.js';
import type { NodeRoot } from './nodes.js';
import type { Problem } from './problem.js';
import { toProblem } from './problem.js';

/** Where one node's copies are. */
export interface NodeListing {
  readonly node: string;
  /** Path of each copy's directory, by segment name; `null` for one that is there and cannot be read. */
  readonly copies: ReadonlyMap<string, string | null>;
  /** Whether every directory that can hold copies was listed: only then a copy that is not here is missing. */
  readonly complete: boolean;
  readonly problems: readonly Problem[];
}

/**
 * Lists a node's copies; what cannot be listed is among the problems, and so is a root in a format that is
 * not understood, unless `ignoreFormat`. Yields how many copies were found so far.
 */
export function* listNodeSteps(
  disk: Disk,
  { node, root }: NodeRoot,
  { ignoreFormat = false }: { readonly ignoreFormat?: boolean },
): Generator<number, NodeListing> {
  const copies = new Map<string, string | null>();
  const problems: Problem[] = [];
  let listing: LogRootListing | null = null;
  try {
    if (!ignoreFormat) checkFormat(disk, root);
    listing = yield* listLogRootSteps(disk, root);
  } catch (error) {
    problems.push(toProblem(root, error));
  }
  let complete = listing !== null;
  for (const problem of listing?.problems ?? []) {
    const name = basename(problem.path);
    const isShard = isShardName(name);
    // A directory that no copy can be in, such as lost+found, is nobody's business here.
    if (!isShard && !parseSegmentName(name) && !isForeignName(name)) continue;
    problems.push(problem);
    if (isShard) complete = false;
    else copies.set(name, null);
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
