import { basename, dirname, join, resolve } from 'node:path';
import type { Disk } from '../../disk/disk.js';
import { isThere } from '../../disk/durable.js';
import { InvalidInputError, RefusedError } from '../../errors.js';
import {
  FENCE_MARKER,
  FORMAT_MARKER,
  isForeignName,
  isShardName,
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

  const isSegmentLike =
    newName !== null && (isCopyName(newName) || isShardName(newName) || newName === FENCE_MARKER);
  const inCopy = ancestors(existing).find((at) => isSegmentDirectory(disk, at, input));
  if (inCopy !== undefined) throw inside(output, `the segment directory ${inCopy}`);
  const root = ancestors(existing).find((at) => isLogRoot(disk, at, input));
  if (root !== undefined && (!makesDirectory || isSegmentLike)) {
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

function isCopyName(name: string): boolean {
  return parseSegmentName(name) !== null || isForeignName(name);
}

function isSegmentDirectory(disk: Disk, path: string, input: string): boolean {
  return (
    path === dirname(disk.realPath(input)) ||
    isThere(disk, join(path, FENCE_MARKER)) ||
    parseSegmentName(basename(path)) !== null
  );
}

function isLogRoot(disk: Disk, path: string, input: string): boolean {
  if (isThere(disk, join(path, FORMAT_MARKER))) return true;
  const copy = dirname(disk.realPath(input));
  return isCopyName(basename(copy)) && path === logRootOfCopy(copy);
}

function inside(output: string, place: string): RefusedError {
  return new RefusedError(
    'EINSIDE',
    `${output}: refused, it lies inside ${place}: give a place outside, or in a new directory beside the segments`,
  );
}
