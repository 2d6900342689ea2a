import type { DirectoryEntry, Disk, FileStat, OpenMode } from '../../src/disk/disk.js';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { StorageError } from '../../src/errors.js';
import type { PowerLoss } from './durable-image.js';
import { changed, DurableImage, synced } from './durable-image.js';

/** One operation asked of the disk. */
export interface DiskCall {
  readonly name: keyof Disk;
  /** The path, also for an operation on a descriptor; of a rename the old one. */
  readonly path: string;
  /** Bytes asked for by a read or a write; else 0. */
  readonly bytes: number;
  readonly position: number;
  /** Whether it can change what is on disk. */
  readonly changes: boolean;
}

/**
 * - `fail`: the system says no with this errno, and nothing happens
 * - `short`: a read or a write moves at most this many bytes
 * - `crash`: throws `CrashError` before the operation, halfway (a write of half the bytes) or after it, and
 *   refuses everything from then on
 */
export type Fault =
  | { readonly kind: 'fail'; readonly code: string }
  | { readonly kind: 'short'; readonly bytes: number }
  | { readonly kind: 'crash'; readonly when: CrashMoment };

export type CrashMoment = 'before' | 'halfway' | 'after';

/** So few bytes reach the disk together or not at all, for a sector is written whole. */
const WHOLE_BYTES = 2;

/** The process is dead: no code under test may catch this and go on. */
export class CrashError extends Error {}

/**
 * The real file system with faults. With a `root`, it also follows what an fsync has made durable below it,
 * so that `losePower` can take the rest away after a crash. An fsync is only noted: the real one would take
 * a test's time and prove nothing.
 */
export class FaultyDisk implements Disk {
  /** Every operation asked for so far, in order. */
  readonly calls: DiskCall[] = [];
  readonly #faults: { matches: (call: DiskCall) => boolean; fault: Fault; left: number }[] = [];
  readonly #open = new Map<number, { path: string; node: ReturnType<DurableImage['node']> }>();
  readonly #image: DurableImage | null;
  #dead = false;

  constructor(root?: string) {
    this.#image = root === undefined ? null : new DurableImage(root);
  }

  /** Lets the next `times` operations that match have this fault; default: all of them. */
  inject(fault: Fault, matches: (call: DiskCall) => boolean, times = Infinity): this {
    this.#faults.push({ matches, fault, left: times });
    return this;
  }

  /** Lets the `nth` operation from now (the first is 1) that can change the disk have this fault. */
  injectAtChange(fault: Fault, nth: number): this {
    let seen = 0;
    return this.inject(fault, (call) => call.changes && ++seen === nth, 1);
  }

  /** How many operations were asked for that can change what is on disk. */
  get changes(): number {
    return this.calls.filter((call) => call.changes).length;
  }

  /** Descriptors that were opened and not closed. */
  get openDescriptors(): number {
    return this.#open.size;
  }

  /** After a crash: leaves on disk what the loss of power would. Needs a `root`. */
  losePower(loss: PowerLoss): void {
    if (!this.#image) throw new Error('losePower needs a root');
    this.#image.restore(loss);
  }

  open(path: string, mode: OpenMode): number {
    const call = { name: 'open', path, changes: mode === 'create' } as const;
    return this.#run(call, () => {
      const fd = nodeDisk.open(path, mode);
      if (mode === 'create') this.#image?.created(path, 'file');
      this.#open.set(fd, { path, node: this.#image?.node(path) });
      return fd;
    });
  }

  close(fd: number): void {
    this.#run({ name: 'close', path: this.#path(fd) }, () => {
      this.#open.delete(fd);
      nodeDisk.close(fd);
    });
  }

  read(fd: number, target: Uint8Array, position: number): number {
    const call = { name: 'read', path: this.#path(fd), bytes: target.length, position } as const;
    return this.#run(call, (limit) => nodeDisk.read(fd, target.subarray(0, limit), position));
  }

  write(fd: number, source: Uint8Array, position: number): number {
    const call = { name: 'write', path: this.#path(fd), bytes: source.length, position } as const;
    return this.#run({ ...call, changes: true }, (limit) => {
      const written = nodeDisk.write(fd, source.subarray(0, limit), position);
      const bytes = Buffer.from(source.subarray(0, written));
      changed(this.#open.get(fd)?.node, { kind: 'write', position, bytes });
      return written;
    });
  }

  truncate(fd: number, size: number): void {
    this.#run({ name: 'truncate', path: this.#path(fd), changes: true }, () => {
      nodeDisk.truncate(fd, size);
      changed(this.#open.get(fd)?.node, { kind: 'truncate', size });
    });
  }

  changeOwner(fd: number, ownerId: number, groupId: number): void {
    this.#run({ name: 'changeOwner', path: this.#path(fd), changes: true }, () => {
      nodeDisk.changeOwner(fd, ownerId, groupId);
    });
  }

  sync(fd: number): void {
    this.#run({ name: 'sync', path: this.#path(fd), changes: true }, () => {
      nodeDisk.fstat(fd);
      synced(this.#open.get(fd)?.node);
    });
  }

  syncDirectory(path: string): void {
    this.#run({ name: 'syncDirectory', path, changes: true }, () => {
      nodeDisk.stat(path);
      this.#image?.directorySynced(path);
    });
  }

  stat(path: string): FileStat {
    return this.#run({ name: 'stat', path }, () => nodeDisk.stat(path));
  }

  lstat(path: string): FileStat {
    return this.#run({ name: 'lstat', path }, () => nodeDisk.lstat(path));
  }

  fstat(fd: number): FileStat {
    return this.#run({ name: 'fstat', path: this.#path(fd) }, () => nodeDisk.fstat(fd));
  }

  readDirectory(path: string): DirectoryEntry[] {
    return this.#run({ name: 'readDirectory', path }, () => nodeDisk.readDirectory(path));
  }

  realPath(path: string): string {
    return this.#run({ name: 'realPath', path }, () => nodeDisk.realPath(path));
  }

  readLink(path: string): string {
    return this.#run({ name: 'readLink', path }, () => nodeDisk.readLink(path));
  }

  symbolicLink(target: string, path: string): void {
    this.#run({ name: 'symbolicLink', path, changes: true }, () => {
      nodeDisk.symbolicLink(target, path);
    });
  }

  rename(from: string, to: string): void {
    this.#run({ name: 'rename', path: from, changes: true }, () => {
      nodeDisk.rename(from, to);
      this.#image?.renamed(from, to);
    });
  }

  unlink(path: string): void {
    this.#run({ name: 'unlink', path, changes: true }, () => {
      nodeDisk.unlink(path);
      this.#image?.removed(path);
    });
  }

  makeDirectory(path: string): void {
    this.#run({ name: 'makeDirectory', path, changes: true }, () => {
      nodeDisk.makeDirectory(path);
      this.#image?.created(path, 'directory');
    });
  }

  removeDirectory(path: string): void {
    this.#run({ name: 'removeDirectory', path, changes: true }, () => {
      nodeDisk.removeDirectory(path);
      this.#image?.removed(path);
    });
  }

  freeBytes(path: string): number {
    return this.#run({ name: 'freeBytes', path }, () => nodeDisk.freeBytes(path));
  }

  #path(fd: number): string {
    return this.#open.get(fd)?.path ?? `file descriptor ${fd}`;
  }

  /** @param perform does the operation, on at most `limit` bytes. */
  #run<T>(
    asked: Pick<DiskCall, 'name' | 'path'> & Partial<DiskCall>,
    perform: (limit: number) => T,
  ): T {
    if (this.#dead) throw new CrashError(`${asked.name} after the crash`);
    const call: DiskCall = { bytes: 0, position: 0, changes: false, ...asked };
    this.calls.push(call);
    const planned = this.#faults.find((entry) => entry.left > 0 && entry.matches(call));
    if (planned) planned.left--;
    const fault = planned?.fault;
    switch (fault?.kind) {
      case undefined:
        return perform(call.bytes);
      case 'fail':
        throw new StorageError(fault.code, call.path, `${fault.code}: injected, ${call.name}`);
      case 'short':
        return perform(Math.min(fault.bytes, call.bytes));
      case 'crash':
        try {
          if (fault.when === 'after') perform(call.bytes);
          if (fault.when === 'halfway' && call.bytes > WHOLE_BYTES) {
            perform(Math.floor(call.bytes / 2));
          }
        } finally {
          this.#die();
          // Also where the operation itself fails: nobody is left to hear of it.
          throw new CrashError(`crash ${fault.when} ${call.name} of ${call.path}`);
        }
    }
  }

  #die(): void {
    this.#dead = true;
    for (const fd of this.#open.keys()) nodeDisk.close(fd);
    this.#open.clear();
  }
}
