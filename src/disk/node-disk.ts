import * as fs from 'node:fs';
import { StorageError } from '../errors.js';
import type { DirectoryEntry, Disk, FileKind, FileStat, OpenMode } from './disk.js';

const { O_RDONLY, O_RDWR, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = fs.constants;

const FLAGS: Record<OpenMode, number> = {
  read: O_RDONLY | O_NONBLOCK,
  write: O_RDWR | O_NOFOLLOW | O_NONBLOCK,
  create: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
};

/** The real file system. */
export const nodeDisk: Disk = {
  open: (path, mode) => attempt(path, () => fs.openSync(path, FLAGS[mode], 0o644)),
  close: (fd) => attempt(fd, () => fs.closeSync(fd)),
  read: (fd, target, position) =>
    attempt(fd, () => fs.readSync(fd, target, 0, target.length, position)),
  write: (fd, source, position) =>
    attempt(fd, () => fs.writeSync(fd, source, 0, source.length, position)),
  truncate: (fd, size) => attempt(fd, () => fs.ftruncateSync(fd, size)),
  changeOwner: (fd, ownerId, groupId) => attempt(fd, () => fs.fchownSync(fd, ownerId, groupId)),
  sync: (fd) => attempt(fd, () => fs.fsyncSync(fd)),
  syncDirectory: (path) =>
    attempt(path, () => {
      const fd = fs.openSync(path, O_RDONLY);
      try {
        fs.fsyncSync(fd);
      } finally {
        fs.closeSync(fd);
      }
    }),
  stat: (path) => attempt(path, () => toStat(fs.statSync(path, { bigint: true }))),
  lstat: (path) => attempt(path, () => toStat(fs.lstatSync(path, { bigint: true }))),
  fstat: (fd) => attempt(fd, () => toStat(fs.fstatSync(fd, { bigint: true }))),
  readDirectory: (path) =>
    attempt(path, () =>
      fs
        .readdirSync(path, { withFileTypes: true, encoding: 'buffer' })
        .sort((a, b) => Buffer.compare(a.name, b.name))
        .map(toEntry),
    ),
  realPath: (path) => attempt(path, () => fs.realpathSync.native(path)),
  readLink: (path) => attempt(path, () => fs.readlinkSync(path)),
  symbolicLink: (target, path) => attempt(path, () => fs.symlinkSync(target, path)),
  rename: (from, to) => attempt(from, () => fs.renameSync(from, to)),
  unlink: (path) => attempt(path, () => fs.unlinkSync(path)),
  makeDirectory: (path) => attempt(path, () => fs.mkdirSync(path)),
  removeDirectory: (path) => attempt(path, () => fs.rmdirSync(path)),
  freeBytes: (path) =>
    attempt(path, () => {
      const { bavail, bsize } = fs.statfsSync(path);
      return bavail * bsize;
    }),
};

function attempt<T>(subject: string | number, call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
      const path = typeof subject === 'string' ? subject : `file descriptor ${subject}`;
      throw new StorageError(error.code, path, error.message, { cause: error });
    }
    throw error;
  }
}

interface Kinded {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

function kindOf(thing: Kinded): FileKind {
  if (thing.isFile()) return 'file';
  if (thing.isDirectory()) return 'directory';
  return thing.isSymbolicLink() ? 'link' : 'other';
}

function toStat(stats: fs.BigIntStats): FileStat {
  return {
    kind: kindOf(stats),
    size: Number(stats.size),
    mtimeNs: stats.mtimeNs,
    identity: `${stats.dev}:${stats.ino}`,
    ownerId: Number(stats.uid),
    groupId: Number(stats.gid),
    linkCount: Number(stats.nlink),
  };
}

function toEntry(entry: fs.Dirent<Buffer>): DirectoryEntry {
  const name = entry.name.toString('utf8');
  return { name, kind: kindOf(entry), utf8: Buffer.from(name, 'utf8').equals(entry.name) };
}
