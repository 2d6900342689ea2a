/**
 * The one door to the file system. Every system call the toolkit makes is a method here, so that a test
 * can make any of them fail, fall short, or be the last one before a crash.
 *
 * Every method throws `StorageError` with the errno name as its code when the system says no.
 */
export interface Disk {
  /** Opens a file; a FIFO or a device does not block it. */
  open(path: string, mode: OpenMode): number;
  close(fd: number): void;
  /** Reads at most `target.length` bytes; may read fewer. 0 at the end of the file. */
  read(fd: number, target: Uint8Array, position: number): number;
  /** Writes at most `source.length` bytes; may write fewer. */
  write(fd: number, source: Uint8Array, position: number): number;
  truncate(fd: number, size: number): void;
  /** Fails with `EPERM` unless the process may give files away. */
  changeOwner(fd: number, ownerId: number, groupId: number): void;
  sync(fd: number): void;
  /** Makes the names inside a directory durable. */
  syncDirectory(path: string): void;
  /** Follows links. */
  stat(path: string): FileStat;
  /** Does not follow links. */
  lstat(path: string): FileStat;
  fstat(fd: number): FileStat;
  /** Entries in the order of the names' bytes. */
  readDirectory(path: string): DirectoryEntry[];
  /** The path with every link resolved. */
  realPath(path: string): string;
  readLink(path: string): string;
  /** Makes a symbolic link, whole or not at all; fails with `EEXIST` if the name is taken. */
  symbolicLink(target: string, path: string): void;
  /** Replaces `to` if it is there. */
  rename(from: string, to: string): void;
  unlink(path: string): void;
  /** Fails with `EEXIST` if the name is taken; the parent must be there. */
  makeDirectory(path: string): void;
  removeDirectory(path: string): void;
  /** Bytes that an unprivileged process can still write where `path` is. */
  freeBytes(path: string): number;
}

/**
 * - `read`: for reading only
 * - `write`: for reading and writing; the file must be there; a link at the end of the path is refused (`ELOOP`)
 * - `create`: for writing; fails with `EEXIST` if the name is taken
 */
export type OpenMode = 'read' | 'write' | 'create';

export type FileKind = 'file' | 'directory' | 'link' | 'other';

export interface FileStat {
  readonly kind: FileKind;
  /** Size in bytes. */
  readonly size: number;
  /** Modification time in nanoseconds since the Unix epoch. */
  readonly mtimeNs: bigint;
  /** Device and inode: the same for two paths only if they are one file. */
  readonly identity: string;
  /** The user that owns it. */
  readonly ownerId: number;
  readonly groupId: number;
  /** Names that the file has: above 1, a change in place shows under the others too. */
  readonly linkCount: number;
}

export interface DirectoryEntry {
  readonly name: string;
  /** `link` for a symbolic link, whatever it points at. */
  readonly kind: FileKind;
  /** False if the name's bytes are no UTF-8: `name` is then a rendering, and cannot be opened. */
  readonly utf8: boolean;
}
