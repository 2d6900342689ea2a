import { basename, join } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { isMissing, removeIfThere, replaceFileWith } from '../disk/durable.js';
import { withFile } from '../disk/file-source.js';
import { requireUnused } from '../disk/in-use.js';
import { RefusedError } from '../errors.js';
import { parseCopyFileName } from '../format/names.js';
import { removeTemporaries } from './apply-changes.js';
import { listForChange } from './copy-directory.js';
import { copyRange } from './file-pieces.js';
import type { Manifest, ManifestFile } from './quarantine-manifest.js';
import type { FileState } from './restore-state.js';
import { fileStates, requireWholeEntry } from './restore-state.js';
import {
  readRecoveringNote,
  readRestoringNote,
  readSettlingNote,
  removeNotes,
  writeRestoringNote,
} from './work-notes.js';

/** One file that comes back, or goes because it was not there. */
export interface RestoredFile {
  readonly name: string;
  readonly change: 'extended' | 'created' | 'replaced' | 'removed';
  /** Its size once it is as it was; `null` if it goes. */
  readonly bytes: number | null;
}

export interface Restoration {
  /** Path of the quarantine entry. */
  readonly entry: string;
  readonly node: string | null;
  readonly segment: string;
  readonly directory: string;
  /** Bytes of log files that come back, blank ones included. */
  readonly restoredBytes: number;
  /** In the order in which they are put back; none where the copy is as it was already. */
  readonly files: readonly RestoredFile[];
}

export interface RestoreOptions {
  readonly apply: boolean;
  /** Go on where open files cannot be checked for. */
  readonly assumeUnused: boolean;
}

/**
 * Puts a copy back as it was before the cut that an entry was made for: its log files, sidecars and markers.
 * If it is cut short, running it again finishes it, and meanwhile the copy is a log that holds every record
 * that the cut left.
 *
 * @param manifest the entry's, as `readManifest` gives it.
 * @throws RefusedError if the entry is damaged, or the copy is not as the cut left it.
 */
export function restoreEntry(
  disk: Disk,
  entry: string,
  manifest: Manifest,
  options: RestoreOptions,
): Restoration {
  requireWholeEntry(disk, entry, manifest);
  const { directory, node, segment } = manifest;
  const present = listCopy(disk, manifest);
  const begun = wasBegun(disk, directory, entry);
  const states = fileStates(disk, entry, manifest, present, begun);
  const isDue = (state: FileState): boolean => state === 'as_left' || state === 'between';
  const due = [...states].filter(([, state]) => isDue(state)).map(([file]) => file);
  due.sort((a, b) => compareRanks(rankOf(a), rankOf(b)));
  if (options.apply) {
    requireUnused(disk, [directory], options.assumeUnused);
    putBack(disk, entry, directory, due);
  }
  return {
    entry,
    node,
    segment,
    directory,
    restoredBytes: due.reduce((sum, file) => sum + lostBytes(file), 0),
    files: due.map((file) => describe(file, states.get(file))),
  };
}

/** Whether a run on this entry, a settling or a restore, was cut short in the copy. */
function wasBegun(disk: Disk, directory: string, entry: string): boolean {
  const notes = [
    readSettlingNote(disk, directory)?.quarantine,
    readRestoringNote(disk, directory),
    readRecoveringNote(disk, directory),
  ];
  return notes.some((noted) => typeof noted === 'string' && basename(noted) === basename(entry));
}

function listCopy(disk: Disk, { logRoot, directory }: Manifest): ReturnType<typeof listForChange> {
  try {
    return listForChange(disk, logRoot, directory);
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new RefusedError('EOUTDATED', `${directory}: refused, the copy is not there any more`);
  }
}

/**
 * Unfence first, so that the copy is never fenced above its end; then take away what the fence brought; then
 * bring the log back from the lowest file up, and only then what points into it or vouches for it.
 */
function rankOf({ name, before }: ManifestFile): readonly [phase: number, position: bigint] {
  const parsed = parseCopyFileName(name);
  const position = parsed?.baseOffset ?? 0n;
  if (!before) return [parsed?.baseOffset === null ? 0 : 1, position];
  const phase = { log: 2, sidecar: 3, sealed: 4, settled: 5, fence: 6 }[parsed?.kind ?? 'fence'];
  return [phase, position];
}

function compareRanks(a: readonly [number, bigint], b: readonly [number, bigint]): number {
  return a[0] - b[0] || (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0);
}

function putBack(
  disk: Disk,
  entry: string,
  directory: string,
  files: readonly ManifestFile[],
): void {
  removeTemporaries(disk, directory);
  if (files.length > 0) writeRestoringNote(disk, directory, disk.realPath(entry));
  let removed = false;
  for (const file of files) {
    if (!file.before) {
      removed = removeIfThere(disk, join(directory, file.name)) || removed;
      continue;
    }
    if (removed) disk.syncDirectory(directory);
    removed = false;
    if (isCutFile(file)) extend(disk, entry, directory, file.name, file.before);
    else recreate(disk, entry, directory, file.name, file.before);
  }
  if (removed) disk.syncDirectory(directory);
  removeNotes(disk, directory);
}

type Before = NonNullable<ManifestFile['before']>;

function isCutFile({ name, before, after }: ManifestFile): boolean {
  return before !== null && after !== null && parseCopyFileName(name)?.kind === 'log';
}

/** Puts back what followed the bytes that the cut left in place. */
function extend(disk: Disk, entry: string, directory: string, name: string, before: Before): void {
  const fd = disk.open(join(directory, name), 'write');
  try {
    writePiece(disk, entry, before, fd);
    disk.truncate(fd, before.bytes);
    disk.sync(fd);
  } finally {
    disk.close(fd);
  }
}

function recreate(
  disk: Disk,
  entry: string,
  directory: string,
  name: string,
  before: Before,
): void {
  replaceFileWith(disk, join(directory, name), (fd) => {
    writePiece(disk, entry, before, fd);
    if (before.blankBytes > 0) disk.truncate(fd, before.bytes);
  });
}

function writePiece(disk: Disk, entry: string, { leftBytes, piece }: Before, fd: number): void {
  if (!piece) return;
  withFile(disk, join(entry, piece.file), (kept) => {
    copyRange(disk, kept, 0, piece.bytes, fd, leftBytes);
  });
}

function lostBytes({ name, before }: ManifestFile): number {
  if (!before || parseCopyFileName(name)?.kind !== 'log') return 0;
  return before.bytes - before.leftBytes;
}

function describe(file: ManifestFile, state: FileState | undefined): RestoredFile {
  const { name, before, after } = file;
  if (!before) return { name, change: 'removed', bytes: null };
  const isThere = after !== null || state === 'between';
  const change = isCutFile(file) ? 'extended' : isThere ? 'replaced' : 'created';
  return { name, change, bytes: before.bytes };
}
