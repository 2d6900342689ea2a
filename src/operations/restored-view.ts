import { join } from 'node:path';
import type { DirectoryEntry, Disk, FileStat } from '../disk/disk.js';
import { StorageError } from '../errors.js';
import { RECOVERING_MARKER, RESTORING_MARKER, SETTLING_MARKER } from '../format/names.js';
import type { Manifest, ManifestFile } from './quarantine-manifest.js';

type Before = NonNullable<ManifestFile['before']>;

/** A file as it will be, opened: the start that was left in place, then the piece, then zeros. */
interface OpenFile {
  readonly before: Before;
  readonly path: string;
  readonly leftFd: number | null;
  readonly pieceFd: number | null;
}

/** Descriptors of files that are not there yet; those of the system are not negative. */
let lastDescriptor = -1;

/**
 * The disk as it will be once an entry is restored, for reading: so that a dry run can go on with the next
 * entry of the same copy.
 *
 * @param names the files of the entry that are to be put back.
 */
export function restoredView(
  disk: Disk,
  entry: string,
  { directory, files }: Manifest,
  names: ReadonlySet<string>,
): Disk {
  const changed = new Map<string, Before | null>();
  for (const note of [SETTLING_MARKER, RESTORING_MARKER, RECOVERING_MARKER]) {
    changed.set(join(directory, note), null);
  }
  for (const { name, before } of files) {
    if (names.has(name)) changed.set(join(directory, name), before);
  }
  const opened = new Map<number, OpenFile>();

  const view: Partial<Disk> = {
    open: (path, mode) => {
      const before = changed.get(path);
      if (before === undefined) return disk.open(path, mode);
      if (before === null) throw missing(path);
      const { leftBytes, piece } = before;
      const leftFd = leftBytes > 0 ? disk.open(path, 'read') : null;
      const pieceFd = piece && disk.open(join(entry, piece.file), 'read');
      opened.set(--lastDescriptor, { before, path, leftFd, pieceFd });
      return lastDescriptor;
    },
    close: (fd) => {
      const file = opened.get(fd);
      if (!file) return disk.close(fd);
      opened.delete(fd);
      for (const part of [file.leftFd, file.pieceFd]) if (part !== null) disk.close(part);
    },
    read: (fd, target, position) => {
      const file = opened.get(fd);
      return file ? readPart(disk, file, target, position) : disk.read(fd, target, position);
    },
    fstat: (fd) => {
      const file = opened.get(fd);
      return file ? statOf(file.path, file.before) : disk.fstat(fd);
    },
    lstat: (path) => {
      const before = changed.get(path);
      if (before === null) throw missing(path);
      return before ? statOf(path, before) : disk.lstat(path);
    },
    readDirectory: (path) => {
      const there = disk.readDirectory(path);
      if (path !== directory) return there;
      const kept = there.filter(({ name }) => !changed.has(join(directory, name)));
      const come = files.flatMap(({ name }): DirectoryEntry[] =>
        changed.get(join(directory, name)) ? [{ name, kind: 'file', utf8: true }] : [],
      );
      return [...kept, ...come].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
  };
  return new Proxy(disk, {
    get: (target, key) => {
      const method: unknown = Reflect.get(view, key) ?? Reflect.get(target, key);
      return typeof method === 'function' ? (method.bind(target) as unknown) : method;
    },
  });
}

function readPart(
  disk: Disk,
  { before, leftFd, pieceFd }: OpenFile,
  target: Uint8Array,
  position: number,
): number {
  const { bytes, leftBytes, piece } = before;
  const pieceEnd = leftBytes + (piece?.bytes ?? 0);
  const upTo = (end: number): Uint8Array => target.subarray(0, Math.max(0, end - position));
  if (leftFd !== null && position < leftBytes) return disk.read(leftFd, upTo(leftBytes), position);
  if (pieceFd !== null && position < pieceEnd) {
    return disk.read(pieceFd, upTo(pieceEnd), position - leftBytes);
  }
  return upTo(bytes).fill(0).length;
}

function statOf(path: string, { bytes }: Before): FileStat {
  const identity = `restored ${path}`;
  return { kind: 'file', size: bytes, mtimeNs: 0n, identity, ownerId: 0, groupId: 0, linkCount: 1 };
}

function missing(path: string): StorageError {
  return new StorageError('ENOENT', path, `${path}: no such file once it is restored`);
}
