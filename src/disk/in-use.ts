import { join } from 'node:path';
import { RefusedError, StorageError } from '../errors.js';
import type { Disk, FileStat } from './disk.js';
import { isMissing } from './durable.js';
import { isGone, readOfProcess } from './process-identity.js';

export interface NamedProcess {
  readonly pid: number;
  /** The program's name as the kernel has it, 15 bytes at most. */
  readonly name: string;
}

/** A process that has a file open. */
export interface FileHolder extends NamedProcess {
  /** The file, as the process sees it. */
  readonly path: string;
}

export type InUseAnswer =
  | {
      readonly kind: 'checked';
      readonly holders: readonly FileHolder[];
      /** Processes that could not be looked at, and may hold such a file: they are its owner's. */
      readonly unseen: readonly NamedProcess[];
    }
  /** This platform tells nothing about open files. */
  | { readonly kind: 'unsupported' };

/**
 * Which other processes have a file below these directories open. A file counts by its path and by what it
 * is, so that links, bind mounts and deleted files are found too.
 *
 * @param directories log roots or copies.
 */
export function findFileHolders(disk: Disk, directories: readonly string[]): InUseAnswer {
  if (process.platform !== 'linux') return { kind: 'unsupported' };
  const wanted = new WantedFiles(disk, directories);
  const holders: FileHolder[] = [];
  const unseen: NamedProcess[] = [];
  for (const pid of listProcesses(disk)) {
    if (pid === process.pid) continue;
    try {
      const path = findOpenFile(disk, pid, wanted);
      if (path !== null) holders.push({ pid, name: processName(disk, pid), path });
    } catch (error) {
      // Whatever the system says of another process's files, it is no failure of this work.
      if (!(error instanceof StorageError)) throw error;
      if (wanted.isOwner(userOf(disk, pid))) unseen.push({ pid, name: processName(disk, pid) });
    }
  }
  return { kind: 'checked', holders, unseen };
}

/** A node's process: it runs in the Erlang virtual machine. */
const NODE_PROGRAM = /^beam\b/;

/**
 * Refuses to go on while another process has a file below these directories open.
 *
 * @param assumeUnused go on where that cannot be checked.
 * @returns processes that could not be looked at and are no node's by their name: worth a warning.
 * @throws RefusedError `EINUSE` naming the process; `EUNCHECKED` if it could not be checked.
 */
export function requireUnused(
  disk: Disk,
  directories: readonly string[],
  assumeUnused: boolean,
): readonly NamedProcess[] {
  const answer = findFileHolders(disk, directories);
  if (answer.kind === 'unsupported') {
    if (assumeUnused) return [];
    throw unchecked('whether a node has files open cannot be checked on this system');
  }
  const [first, ...others] = answer.holders;
  if (first) {
    const more = others.length > 0 ? `, as have ${others.length} more` : '';
    throw new RefusedError(
      'EINUSE',
      `refused, process ${first.pid} (${first.name}) has ${first.path} open${more}: stop the node first`,
    );
  }
  const node = answer.unseen.find(({ name }) => NODE_PROGRAM.test(name));
  if (!node || assumeUnused) return answer.unseen;
  throw unchecked(
    `process ${node.pid} (${node.name}) may be a node's, and which files it has open cannot be seen`,
  );
}

function unchecked(reason: string): RefusedError {
  return new RefusedError(
    'EUNCHECKED',
    `refused, ${reason}: make sure that the node is stopped, then add --yes`,
  );
}

/** What counts as a file below the directories. */
class WantedFiles {
  readonly #prefixes: string[] = [];
  readonly #identities = new Set<string>();
  /** A node runs as the user that owns the files that it made. */
  readonly #owners = new Set<number>();

  constructor(disk: Disk, directories: readonly string[]) {
    for (const directory of directories) {
      const real = disk.realPath(directory);
      this.#prefixes.push(`${real}/`.replace('//', '/'));
      this.#owners.add(disk.stat(real).ownerId);
      this.#collect(disk, real);
    }
  }

  isOwner(user: number | null): boolean {
    return user !== null && this.#owners.has(user);
  }

  hasPath(path: string): boolean {
    return this.#prefixes.some((prefix) => path.startsWith(prefix));
  }

  hasFile(identity: string): boolean {
    return this.#identities.has(identity);
  }

  #collect(disk: Disk, directory: string): void {
    for (const { name, kind, utf8 } of disk.readDirectory(directory)) {
      if (!utf8) continue;
      const path = join(directory, name);
      if (kind === 'directory') this.#collect(disk, path);
      else if (kind === 'file') {
        const stat = statOf(disk, path);
        if (!stat) continue;
        this.#identities.add(stat.identity);
        this.#owners.add(stat.ownerId);
      }
    }
  }
}

function listProcesses(disk: Disk): number[] {
  return disk
    .readDirectory('/proc')
    .map(({ name }) => Number(name))
    .filter(Number.isSafeInteger);
}

/** The first wanted file that a process has open; `null` if there is none, or the process has ended. */
function findOpenFile(disk: Disk, pid: number, wanted: WantedFiles): string | null {
  const directory = `/proc/${pid}/fd`;
  const descriptors = orGone([], () => disk.readDirectory(directory));
  for (const { name } of descriptors) {
    const link = join(directory, name);
    const path = orGone(null, () => disk.readLink(link));
    if (path === null || !path.startsWith('/')) continue;
    if (wanted.hasPath(path)) return path;
    const stat = statOf(disk, link);
    if (stat && wanted.hasFile(stat.identity)) return path;
  }
  return null;
}

function processName(disk: Disk, pid: number): string {
  return readOfProcess(disk, `/proc/${pid}/comm`)?.trim() ?? 'ended meanwhile';
}

/** The effective user of a process; `null` if it has ended. */
function userOf(disk: Disk, pid: number): number | null {
  const status = readOfProcess(disk, `/proc/${pid}/status`) ?? '';
  const user = /^Uid:\s+\d+\s+(\d+)/m.exec(status)?.[1];
  return user === undefined ? null : Number(user);
}

function statOf(disk: Disk, path: string): FileStat | null {
  try {
    return disk.stat(path);
  } catch (error) {
    if (isMissing(error) || isGone(error) || isDenied(error)) return null;
    throw error;
  }
}

function orGone<T>(instead: T, use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (isGone(error)) return instead;
    throw error;
  }
}

function isDenied(error: unknown): boolean {
  return error instanceof StorageError && (error.code === 'EACCES' || error.code === 'EPERM');
}
