import { basename, dirname, join, resolve } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { isMissing, isThere } from '../disk/durable.js';
import { withFile } from '../disk/file-source.js';
import { InvalidInputError } from '../errors.js';
import type { ByteSource } from '../format/byte-source.js';
import { readBytes } from '../format/byte-source.js';
import { FRAME_HEADER_BYTES, MIN_FRAME_BYTES } from '../format/frame.js';
import { judgeFront } from '../format/frame-header.js';
import {
  FENCE_MARKER,
  LOG_SUFFIX,
  SEALED_SUFFIX,
  SIDECAR_SUFFIX,
  isShardName,
  parseLogName,
} from '../format/names.js';
import type { CopyFiles, LogFile } from './copy-files.js';
import { copyFilesOf } from './copy-files.js';
import {
  checkFormat,
  hasFormatMarker,
  isCopyDirectory,
  listLogRoot,
  logRootOfCopy,
} from './log-root.js';
import type { Problem } from './problem.js';
import { orProblem } from './problem.js';
import { logRootsBelow } from './roots-below.js';

/** One file to look at. */
export interface FileTarget extends LogFile {
  /** Name of the directory that it lies in. */
  readonly segment: string;
  readonly fenced: boolean;
}

export interface Targets {
  /** In the order of their paths' bytes, each path once. */
  readonly files: readonly FileTarget[];
  readonly problems: readonly Problem[];
}

export interface TargetOptions {
  /** Also read log roots whose `malachi.format` is not understood. */
  readonly ignoreFormat?: boolean;
}

/**
 * Resolves paths (a `.log` file, a segment directory, a log root) to the files they stand for. A path
 * that cannot be resolved is a problem and stops no other.
 */
export function resolveTargets(
  disk: Disk,
  paths: readonly string[],
  options: TargetOptions,
): Targets {
  const files = new Map<string, FileTarget>();
  const problems: Problem[] = [];
  const addCopy = (copy: CopyFiles): void => {
    problems.push(...copy.problems);
    const segment = basename(resolve(copy.path));
    for (const file of copy.logFiles) {
      files.set(resolve(file.path), { ...file, segment, fenced: copy.fenced });
    }
  };

  const addDirectory = (path: string): void => {
    const entries = disk.readDirectory(path);
    const absolute = resolve(path);
    const name = basename(absolute);
    const isRoot = hasFormatMarker(entries);
    if (isCopyDirectory(name, entries) && !isRoot) {
      if (options.ignoreFormat !== true) checkFormat(disk, logRootOfCopy(absolute));
      addCopy(copyFilesOf(path, entries));
      return;
    }
    if (options.ignoreFormat !== true)
      checkFormat(disk, isShardName(name) ? dirname(absolute) : path);
    const listing = listLogRoot(disk, path);
    problems.push(...listing.problems);
    listing.copies.forEach(addCopy);
    if (isRoot || listing.copies.length + listing.problems.length > 0) return;
    const strays = copyFilesOf(path, entries);
    if (strays.problems.length === 0) {
      throw new InvalidInputError(
        `${path}: expected a segment directory or a log root, found neither${hintOfRoots(disk, path)}`,
      );
    }
    addCopy(strays);
  };

  for (const path of paths) {
    orProblem(path, problems, () => {
      if (kindOf(disk, path) === 'directory') {
        addDirectory(path);
        return;
      }
      const target = loneFile(disk, path);
      if (options.ignoreFormat !== true) checkFormat(disk, logRootOfCopy(dirname(resolve(path))));
      files.set(resolve(path), target);
    });
  }
  const byPath = (a: FileTarget, b: FileTarget): number =>
    Buffer.compare(Buffer.from(a.path), Buffer.from(b.path));
  return { files: [...files.values()].sort(byPath), problems };
}

/** Log roots a level further down are what most likely was meant. */
function hintOfRoots(disk: Disk, path: string): string {
  const below = logRootsBelow(disk, path);
  if (below.length === 0) return '';
  const more = below.length > SHOWN_ROOTS ? ', …' : '';
  return `; log roots below it: ${below.slice(0, SHOWN_ROOTS).join(', ')}${more}`;
}

const SHOWN_ROOTS = 5;

function kindOf(disk: Disk, path: string): string {
  try {
    return disk.stat(path).kind;
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new InvalidInputError(`${path}: no such file or directory`, 'ENOENT');
  }
}

function loneFile(disk: Disk, path: string): FileTarget {
  const baseOffset = parseLogName(basename(path));
  if (baseOffset === null) return freeFile(disk, path);
  const directory = dirname(path);
  const stem = path.slice(0, -LOG_SUFFIX.length);
  return {
    path,
    baseOffset,
    segment: basename(resolve(directory)),
    sealed: isThere(disk, stem + SEALED_SUFFIX),
    indexed: isThere(disk, stem + SIDECAR_SUFFIX),
    fenced: isThere(disk, join(directory, FENCE_MARKER)),
  };
}

/** Size for the progress line; a file that cannot be asked is answered when it is opened. */
export function sizeOf(disk: Disk, target: FileTarget): number {
  try {
    return disk.stat(target.path).size;
  } catch {
    return 0;
  }
}

/** A printable name that ends as a log's does: of a copy of a file, or of what was salvaged from one. */
const FREE_NAME = /^[^\p{Cc}]+\.log$/u;

/**
 * A file that no log would name so. Its base offset is what its first record carries; nothing beside it
 * belongs to it.
 */
function freeFile(disk: Disk, path: string): FileTarget {
  if (!FREE_NAME.test(basename(path))) {
    throw new InvalidInputError(
      `${path}: expected a name that ends in ${LOG_SUFFIX}, best <20 digits>${LOG_SUFFIX}, which tells the first offset`,
      'EBADNAME',
    );
  }
  const baseOffset = withFile(disk, path, firstOffset);
  const segment = basename(dirname(resolve(path)));
  return { path, baseOffset, segment, sealed: false, indexed: false, fenced: false };
}

function firstOffset(source: ByteSource): bigint {
  const head = readBytes(source, 0, Math.min(source.size, MIN_FRAME_BYTES));
  if (judgeFront(head, source.size) !== 'frame') return 0n;
  return Buffer.from(head.buffer, head.byteOffset, head.length).readBigUInt64BE(FRAME_HEADER_BYTES);
}
