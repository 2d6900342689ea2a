import { basename, dirname, join, resolve } from 'node:path';
import type { Disk } from '../../disk/disk.js';
import { isThere } from '../../disk/durable.js';
import { InvalidInputError, RefusedError } from '../../errors.js';
import {
  FENCE_MARKER,
  FORMAT_MARKER,
  isForeignName,
  isShardName,
  parseLogName,
  parseSegmentName,
} from '../../format/names.js';
import { logRootOfCopy } from '../log-root.js';

/** Where a new file goes, with every link of its parents resolved. */
export interface OutputPlace {
  readonly path: string;
  /** The parent is not there yet, and is made for it. */
  readonly makesDirectory: boolean;
}

/**
 * Checks where a salvaged file is to go. A log root is the node's: a file there is its data or is deleted.
 * Only a new directory may be made in one, outside segment directories.
 *
 * @param input the file that is salvaged.
 * @throws RefusedError `EINSIDE` for a place in a log root, `EEXIST` if the name is taken.
 * @throws InvalidInputError if the parent's parent is not there.
 */
export function checkOutputPlace(disk: Disk, output: string, input: string): OutputPlace {
  const parent = dirname(resolve(output));
  const makesDirectory = !isThere(disk, parent);
  const existing = realDirectory(disk, makesDirectory ? dirname(parent) : parent, output);
  const newName = makesDirectory ? basename(parent) : null;
  const directory = newName === null ? existing : join(existing, newName);
  const path = join(directory, basename(resolve(output)));

  const parents = ancestors(existing);
  const root = parents.find((at) => isLogRoot(disk, at, input));
  const copy = parents.find(
    (at) => isCopy(disk, at) || (root !== undefined && isBelow(at, root) && isCopyName(at)),
  );
  if (copy !== undefined) throw inside(output, `the segment directory ${copy}`);
  const isNodesName = newName !== null && (isCopyName(newName) || isShardName(newName));
  if (root !== undefined && (newName === null || isNodesName)) {
    throw inside(output, `the log root ${root}`);
  }
  if (isThere(disk, path)) {
    throw new RefusedError(
      'EEXIST',
      `${output}: expected a new file, found one: nothing is overwritten`,
    );
  }
  return { path, makesDirectory };
}

function realDirectory(disk: Disk, path: string, output: string): string {
  if (isThere(disk, path)) {
    const real = disk.realPath(path);
    if (disk.stat(real).kind === 'directory') return real;
  }
  throw new InvalidInputError(
    `${output}: expected a place in a directory, found no directory ${path}`,
  );
}

/** A directory and those it lies in, the nearest first. */
function ancestors(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...ancestors(parent)];
}

function isBelow(path: string, root: string): boolean {
  return path !== root && ancestors(path).includes(root);
}

function isCopyName(path: string): boolean {
  const name = basename(path);
  return parseSegmentName(name) !== null || isForeignName(name);
}

/** Whether a directory holds a copy, marked as one by its name or its fence. */
function isCopy(disk: Disk, path: string): boolean {
  if (isThere(disk, join(path, FENCE_MARKER))) return true;
  return (
    isCopyName(path) && disk.readDirectory(path).some(({ name }) => parseLogName(name) !== null)
  );
}

function isLogRoot(disk: Disk, path: string, input: string): boolean {
  if (isThere(disk, join(path, FORMAT_MARKER))) return true;
  const copy = dirname(disk.realPath(input));
  return isCopyName(copy) && path === logRootOfCopy(copy);
}

function inside(output: string, place: string): RefusedError {
  return new RefusedError(
    'EINSIDE',
    `${output}: refused, it lies inside ${place}: give a place outside, or in a new directory beside the segments`,
  );
}
