import { basename, dirname, join } from 'node:path';
import type { MeasuredCopy, NodeCopies } from '../control-plane/inventory.js';
import type { Disk } from '../disk/disk.js';
import { readSmallFile } from '../disk/file-source.js';
import { StorageError } from '../errors.js';
import { parseSettled, type SettledMarker } from '../format/markers.js';
import { isForeignName, isShardName, parseSegmentName, SETTLED_MARKER } from '../format/names.js';
import { breathe } from './breathe.js';
import type { CopyFiles } from './copy-files.js';
import { checkFormat, listLogRootSteps, type LogRootListing } from './log-root.js';
import { checkNodeRoots, type NodeRoot } from './nodes.js';
import { orProblem, toProblem, type Problem } from './problem.js';
import { runListing, withProgress, type Progress } from './progress.js';

const SETTLED_LIMIT_BYTES = 65536;
/** A root of an unknown format is refused by itself, beside the answers for the others. */
export const ANY_FORMAT = { ignoreFormat: true };

/** One copy as an inventory lists it; null for what could not be measured. */
export interface CopyInventory {
  /** Name of its directory. */
  readonly segment: string;
  /** Number of the shard directory that it lies in; null for the root itself. */
  readonly shard: bigint | null;
  readonly storedBytes: bigint | null;
  readonly fenced: boolean | null;
  readonly settled: SettledMarker | null;
}

export interface NodeInventory {
  readonly node: string;
  readonly root: string;
  /** Every directory that can hold copies was listed. */
  readonly complete: boolean;
  readonly copies: readonly CopyInventory[];
  readonly errors: readonly Problem[];
}

export interface InventoryOptions {
  /** Also read log roots whose `malachi.format` is not understood. */
  readonly ignoreFormat?: boolean;
}

/**
 * Measures the copies in each node's log root. It lists directories, asks for sizes and reads the toolkit's
 * own markers: no segment file is opened. What cannot be measured is among a node's errors and stops nothing.
 *
 * @throws {InvalidInputError} for a node given twice, and for a root that is missing or under two names.
 */
export async function takeInventory(
  disk: Disk,
  nodes: readonly NodeRoot[],
  options: InventoryOptions,
  progress?: Progress,
): Promise<NodeInventory[]> {
  checkNodeRoots(disk, nodes, ANY_FORMAT);
  const inventories: NodeInventory[] = [];
  for (const node of nodes) inventories.push(await measureNode(disk, node, options, progress));
  return inventories;
}

/** The inventory as the plan takes it. */
export function toNodeCopies({ node, complete, copies }: NodeInventory): NodeCopies {
  const measured = copies.map((copy): [string, MeasuredCopy | null] => {
    const { segment, storedBytes, fenced, settled } = copy;
    const isMeasured = storedBytes !== null && fenced !== null;
    return [segment, isMeasured ? { storedBytes, fenced, settled } : null];
  });
  return { node, complete, copies: new Map(measured) };
}

async function measureNode(
  disk: Disk,
  { node, root }: NodeRoot,
  options: InventoryOptions,
  progress: Progress | undefined,
): Promise<NodeInventory> {
  const errors: Problem[] = [];
  let listing: LogRootListing;
  try {
    if (options.ignoreFormat !== true) checkFormat(disk, root);
    listing = await runListing(listLogRootSteps(disk, root), progress);
  } catch (error) {
    errors.push(toProblem(root, error));
    return { node, root, complete: false, copies: [], errors };
  }

  const found = new Map<string, { path: string; copy: CopyInventory }>();
  const add = (path: string, copy: CopyInventory): void => {
    const { segment, shard } = copy;
    const other = found.get(segment);
    if (!other) {
      found.set(segment, { path, copy });
      return;
    }
    const message = `${path}: expected one copy of a segment on a node, found another at ${other.path}`;
    errors.push(toProblem(path, new StorageError('EDUPLICATE', path, message)));
    found.set(segment, { path, copy: unmeasured(segment, shard) });
  };
  let complete = true;
  for (const problem of listing.problems) {
    const name = basename(problem.path);
    const isShard = isShardName(name);
    // A directory that no copy can be in, such as lost+found, is nobody's business here.
    if (!isShard && !isSegmentName(name)) continue;
    errors.push(problem);
    if (isShard) complete = false;
    else add(problem.path, unmeasured(name, shardOf(problem.path)));
  }
  await withProgress(progress, listing.copies.length, 'copies', async () => {
    for (const files of listing.copies) {
      await breathe();
      const segment = basename(files.path);
      const shard = shardOf(files.path);
      const measured = orProblem(files.path, errors, () => measureCopy(disk, files));
      add(files.path, measured ? { segment, shard, ...measured } : unmeasured(segment, shard));
      progress?.advance(1);
    }
  });
  return { node, root, complete, copies: [...found.values()].map(({ copy }) => copy), errors };
}

/** Sums the sizes of every `*.log`, as a node does, whether or not it is named as the log's files are. */
function measureCopy(disk: Disk, files: CopyFiles): MeasuredCopy {
  let storedBytes = 0n;
  for (const { path } of [...files.logFiles, ...files.problems]) {
    const { kind, size } = disk.stat(path);
    if (kind !== 'file') throw new StorageError('ENOTREG', path, `${path} is no regular file`);
    storedBytes += BigInt(size);
  }
  const settled = files.settledMarker ? readSettled(disk, join(files.path, SETTLED_MARKER)) : null;
  return { storedBytes, fenced: files.fenced, settled };
}

function readSettled(disk: Disk, path: string): SettledMarker | null {
  return parseSettled(readSmallFile(disk, path, SETTLED_LIMIT_BYTES).toString('utf8'));
}

function unmeasured(segment: string, shard: bigint | null): CopyInventory {
  return { segment, shard, storedBytes: null, fenced: null, settled: null };
}

function isSegmentName(name: string): boolean {
  return parseSegmentName(name) !== null || isForeignName(name);
}

function shardOf(copyPath: string): bigint | null {
  const parent = basename(dirname(copyPath));
  return isShardName(parent) ? BigInt(parent.slice('shard_'.length)) : null;
}
