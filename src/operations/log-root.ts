import { dirname, join, basename } from 'node:path';
import type { DirectoryEntry, Disk } from '../disk/disk.js';
import { isMissing } from '../disk/durable.js';
import { readSmallFile } from '../disk/file-source.js';
import { KNOWN_FORMAT, judgeFormat } from '../format/markers.js';
import {
  FENCE_MARKER,
  FORMAT_MARKER,
  isForeignName,
  isShardName,
  parseLogName,
  parseSegmentName,
} from '../format/names.js';
import { runToEnd } from '../format/walk.js';
import type { CopyFiles } from './copy-files.js';
import { copyFilesOf } from './copy-files.js';
import type { Problem } from './problem.js';
import { badName, orProblem, refusedFormat } from './problem.js';

const MARKER_LIMIT_BYTES = 65536;

/** The copies below a log root, and the directories that could not be listed. */
export interface LogRootListing {
  readonly copies: readonly CopyFiles[];
  readonly problems: readonly Problem[];
}

/**
 * Lists the segment directories below a root and below its `shard_<n>` directories, in path order. A
 * directory counts as one if its name is a segment's, or if it holds one of a log's files or a `SEALED` marker.
 *
 * @throws StorageError if the root itself cannot be listed.
 */
export function listLogRoot(disk: Disk, root: string): LogRootListing {
  return runToEnd(listLogRootSteps(disk, root));
}

/** The same in steps, for a root of very many copies: yields how many were found so far. */
export function* listLogRootSteps(disk: Disk, root: string): Generator<number, LogRootListing> {
  const copies: CopyFiles[] = [];
  const problems: Problem[] = [];
  function* visit(
    directory: string,
    entries: readonly DirectoryEntry[],
    top: boolean,
  ): Generator<number, void> {
    for (const entry of entries) {
      yield copies.length;
      const path = join(directory, entry.name);
      if (!mayBeDirectory(disk, entry, path)) continue;
      const listed = orProblem(path, problems, () => {
        if (!entry.utf8) throw badName(path, 'a segment directory, in UTF-8');
        return disk.readDirectory(path);
      });
      if (listed === null) continue;
      if (top && isShardName(entry.name)) yield* visit(path, listed, false);
      else if (isCopyDirectory(entry.name, listed)) copies.push(copyFilesOf(path, listed));
    }
  }
  yield* visit(root, disk.readDirectory(root), true);
  yield copies.length;
  return { copies, problems };
}

function mayBeDirectory(disk: Disk, entry: DirectoryEntry, path: string): boolean {
  if (entry.kind === 'directory') return true;
  if (entry.kind !== 'link' || !entry.utf8) return false;
  try {
    return disk.stat(path).kind === 'directory';
  } catch {
    return parseSegmentName(entry.name) !== null;
  }
}

/** Whether a directory of this name and content is one replica's copy of a segment. */
export function isCopyDirectory(name: string, entries: readonly DirectoryEntry[]): boolean {
  return (
    entries.some((entry) => parseLogName(entry.name) !== null || entry.name === FENCE_MARKER) ||
    parseSegmentName(name) !== null ||
    (isForeignName(name) && entries.length === 0)
  );
}

/** Whether these entries are a log root's: they hold the format marker. */
export function hasFormatMarker(entries: readonly DirectoryEntry[]): boolean {
  return entries.some((entry) => entry.name === FORMAT_MARKER);
}

/**
 * Reads a log root's `malachi.format`, if there is one.
 *
 * @throws RefusedError `EFORMAT` if it is above the known format, or is no marker.
 */
export function checkFormat(disk: Disk, root: string): void {
  let text: string;
  try {
    text = readSmallFile(disk, join(root, FORMAT_MARKER), MARKER_LIMIT_BYTES).toString('utf8');
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  const verdict = judgeFormat(text);
  if (verdict.kind === 'no_marker') {
    throw refusedFormat(
      root,
      `${FORMAT_MARKER} is no format marker, expected a line format=<number>`,
    );
  }
  if (verdict.kind === 'too_new') {
    const release = verdict.requires === null ? 'a newer release' : `release ${verdict.requires}`;
    throw refusedFormat(
      root,
      `${FORMAT_MARKER} has format ${verdict.format}, expected at most ${KNOWN_FORMAT}: it asks for ${release}`,
    );
  }
}

/**
 * The log root that a copy's directory lies in: its parent, or the one above a `shard_<n>`; whether or
 * not that holds a format marker.
 */
export function logRootOfCopy(copyPath: string): string {
  const parent = dirname(copyPath);
  return isShardName(basename(parent)) ? dirname(parent) : parent;
}
