import { join } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { attempt, isThere, replaceFile } from '../disk/durable.js';
import { withFile } from '../disk/file-source.js';
import { StorageError } from '../errors.js';
import type { FileChange } from '../policy/copy-change.js';
import type { PresentFile } from './copy-directory.js';
import { copyRange, digestOf, digestPadded, writtenEnd } from './file-pieces.js';
import { entryName } from './quarantine-name.js';
import { makeQuarantine } from './quarantine-place.js';
import type { KeptPiece, Manifest, ManifestFile } from './quarantine-manifest.js';
import { MANIFEST_NAME, renderManifest } from './quarantine-manifest.js';

/** A copy that is about to be changed. */
export interface EndangeredCopy {
  /** The command that changes it. */
  readonly operation: string;
  /** `null` where the command does not know nodes. */
  readonly node: string | null;
  readonly segment: string;
  readonly logRoot: string;
  readonly directory: string;
  readonly present: readonly PresentFile[];
  readonly changes: readonly FileChange[];
}

/** Bytes that a manifest takes at most, and per file of the copy. */
const MANIFEST_BYTES = 16384;
const MANIFEST_BYTES_PER_FILE = 1024;

/**
 * Keeps all that the changes will take from a copy, and a manifest of how the copy is and how it will be;
 * durable when it returns. Leaves the copy untouched, also if it fails.
 *
 * @param quarantine the quarantine's directory, as `resolveQuarantine` gives it.
 * @returns the path of the new entry.
 * @throws StorageError; what it has written of the entry is removed, if that is possible.
 */
export function quarantineCopy(
  disk: Disk,
  quarantine: string,
  copy: EndangeredCopy,
  now: Date,
): string {
  const plans = planFiles(disk, copy);
  const keptBytes = plans.reduce((sum, plan) => sum + plan.keepTo - plan.leftBytes, 0);
  const neededBytes = keptBytes + MANIFEST_BYTES + MANIFEST_BYTES_PER_FILE * plans.length;
  makeQuarantine(disk, quarantine);
  requireSpace(disk, quarantine, neededBytes);

  const { fromByte, toByte } = cutRange(copy);
  const { operation, node, segment, logRoot, directory } = copy;
  const entry = makeEntry(disk, quarantine, entryName({ node, segment, fromByte, toByte, now }));
  try {
    const files = plans.map((plan) => keepFile(disk, entry, copy, plan));
    const head = { operation, createdAt: now.toISOString(), node, segment, logRoot, directory };
    const manifest: Manifest = { ...head, fromByte, toByte, files };
    replaceFile(disk, join(entry, MANIFEST_NAME), Buffer.from(renderManifest(manifest)));
    disk.syncDirectory(quarantine);
    return entry;
  } catch (error) {
    if (error instanceof StorageError) discardEntry(disk, entry);
    throw error;
  }
}

/** One file, how far it stays, and how far what goes is worth keeping. */
interface FilePlan {
  readonly name: string;
  readonly present: PresentFile | null;
  readonly change: FileChange | null;
  readonly leftBytes: number;
  readonly keepTo: number;
}

function planFiles(disk: Disk, { directory, present, changes }: EndangeredCopy): FilePlan[] {
  const changeOf = new Map(changes.map((change) => [change.name, change]));
  const fileOf = new Map(present.map((file) => [file.name, file]));
  const names = [...new Set([...fileOf.keys(), ...changeOf.keys()])].sort();
  return names.map((name) => {
    const file = fileOf.get(name) ?? null;
    const change = changeOf.get(name) ?? null;
    const leftBytes = file === null ? 0 : leftInPlace(file, change);
    const keepTo =
      file === null || file.sizeBytes === leftBytes
        ? leftBytes
        : withFile(disk, join(directory, name), (source) => writtenEnd(source, leftBytes));
    return { name, present: file, change, leftBytes, keepTo };
  });
}

function leftInPlace(file: PresentFile, change: FileChange | null): number {
  if (change === null) return file.sizeBytes;
  return change.kind === 'cut' ? change.keepBytes : 0;
}

function keepFile(disk: Disk, entry: string, copy: EndangeredCopy, plan: FilePlan): ManifestFile {
  const { name, present, change, leftBytes, keepTo } = plan;
  const path = join(copy.directory, name);
  const bytes = present?.sizeBytes ?? 0;
  let piece: KeptPiece | null = null;
  if (keepTo > leftBytes) {
    const file = `${name}.${leftBytes}-${keepTo}`;
    const sha256 = keepPiece(disk, path, leftBytes, keepTo, join(entry, file));
    piece = { file, bytes: keepTo - leftBytes, sha256 };
  }
  const before = present && { bytes, leftBytes, piece, blankBytes: bytes - keepTo };
  return { name, before, after: stateAfter(disk, path, bytes, change) };
}

function keepPiece(disk: Disk, path: string, from: number, to: number, target: string): string {
  return withFile(disk, path, (source) => {
    const fd = disk.open(target, 'create');
    try {
      const sha256 = copyRange(disk, source, from, to, fd, 0);
      disk.sync(fd);
      return sha256;
    } finally {
      disk.close(fd);
    }
  });
}

function stateAfter(
  disk: Disk,
  path: string,
  bytes: number,
  change: FileChange | null,
): ManifestFile['after'] {
  switch (change?.kind) {
    case 'remove':
      return null;
    case 'write':
      return { bytes: change.bytes.length, sha256: digestOf(change.bytes) };
    case 'cut':
    case undefined: {
      const { keepBytes, sizeBytes } = change ?? { keepBytes: bytes, sizeBytes: bytes };
      const digest = withFile(disk, path, (source) => digestPadded(source, keepBytes, sizeBytes));
      return { bytes: sizeBytes, sha256: digest };
    }
  }
}

/** Which of the copy's bytes, its log files one after the other, go: from the first to the last of them. */
function cutRange({ present, changes }: EndangeredCopy): { fromByte: number; toByte: number } {
  const changeOf = new Map(changes.map((change) => [change.name, change]));
  let at = 0;
  let fromByte: number | null = null;
  for (const file of present) {
    if (file.kind !== 'log') continue;
    const leftBytes = leftInPlace(file, changeOf.get(file.name) ?? null);
    if (leftBytes < file.sizeBytes) fromByte ??= at + leftBytes;
    at += file.sizeBytes;
  }
  return { fromByte: fromByte ?? at, toByte: at };
}

function requireSpace(disk: Disk, quarantine: string, neededBytes: number): void {
  const freeBytes = disk.freeBytes(quarantine);
  if (freeBytes >= neededBytes) return;
  throw new StorageError(
    'ENOSPC',
    quarantine,
    `${quarantine}: ${neededBytes} bytes are needed for the quarantine, ${freeBytes} are free; nothing was cut`,
  );
}

/** Makes a directory that was not there: an entry is never written over. */
function makeEntry(disk: Disk, quarantine: string, name: string): string {
  let path = join(quarantine, name);
  for (let number = 2; isThere(disk, path); number++) path = join(quarantine, `${name}-${number}`);
  disk.makeDirectory(path);
  return path;
}

/** The entry is this run's own, and nothing was cut on the strength of it. */
function discardEntry(disk: Disk, entry: string): void {
  attempt(() => {
    for (const { name } of disk.readDirectory(entry)) disk.unlink(join(entry, name));
    disk.removeDirectory(entry);
  });
}
