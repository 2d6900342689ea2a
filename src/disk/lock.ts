import { join } from 'node:path';
import { RefusedError, StorageError } from '../errors.js';
import type { Disk } from './disk.js';
import { isMissing, removeIfThere } from './durable.js';
import type { ProcessIdentity } from './process-identity.js';
import { currentProcess, processState } from './process-identity.js';

/*
 * The lock on a log root is a symbolic link in it, for a link is made whole, with what it says: the process
 * that holds it. Its name ends in a generation. A lock of a dead process is taken over by making the next
 * generation, which only one of several takers can make; the old one is removed only once the new one is
 * held. So at no moment can a taker remove a lock that it has not judged.
 */
const LOCK_PREFIX = 'malachi-toolkit.lock.';

export interface LogRootLock {
  readonly path: string;
  /** Gives the lock back; a second time does nothing. */
  release(): void;
}

/**
 * Takes the toolkit's lock on a log root: one writing run at a time.
 *
 * @throws RefusedError `ELOCKED` if another run has it, or may have.
 */
export function lockLogRoot(
  disk: Disk,
  root: string,
  self: ProcessIdentity = currentProcess(disk),
): LogRootLock {
  const found = listLocks(disk, root);
  for (const lock of found) refuseIfHeld(disk, root, lock, self);

  const generation = Math.max(0, ...found.map((lock) => lock.generation)) + 1;
  const path = join(root, `${LOCK_PREFIX}${generation}`);
  const text = JSON.stringify(self);
  make(disk, root, text, path);
  const others = listLocks(disk, root).filter((lock) => lock.path !== path);
  try {
    for (const lock of others) refuseIfHeld(disk, root, lock, self);
    for (const lock of others) removeIfThere(disk, lock.path);
  } catch (error) {
    removeIfThere(disk, path);
    throw error;
  }

  let held = true;
  return {
    path,
    release: () => {
      if (held && readLock(disk, path) === text) removeIfThere(disk, path);
      held = false;
    },
  };
}

interface FoundLock {
  readonly path: string;
  readonly generation: number;
}

function listLocks(disk: Disk, root: string): FoundLock[] {
  return disk
    .readDirectory(root)
    .map(({ name }) => ({
      path: join(root, name),
      generation: name.startsWith(LOCK_PREFIX) ? Number(name.slice(LOCK_PREFIX.length)) : NaN,
    }))
    .filter(({ generation }) => Number.isSafeInteger(generation));
}

function make(disk: Disk, root: string, text: string, path: string): void {
  try {
    disk.symbolicLink(text, path);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    if (error.code === 'EEXIST') {
      throw refused(root, 'another run took its lock at the same moment: run the command again');
    }
    throw new StorageError(
      error.code,
      root,
      `${root}: ${error.code}, the log root cannot be written to, so it was left alone`,
      { cause: error },
    );
  }
}

function refuseIfHeld(disk: Disk, root: string, lock: FoundLock, self: ProcessIdentity): void {
  const text = readLock(disk, lock.path);
  if (text === null) return;
  const holder = parseIdentity(text);
  if (!holder) {
    throw refused(root, `${lock.path} is no lock of this toolkit: remove it if no run needs it`);
  }
  switch (processState(disk, holder, self)) {
    case 'dead':
      return;
    case 'alive':
      throw refused(root, `process ${holder.pid} works on it: wait for its end`);
    case 'unknown':
      throw refused(
        root,
        `process ${holder.pid} of host ${holder.host}, which cannot be seen from here, took its lock: ` +
          `remove ${lock.path} if that process has ended`,
      );
  }
}

/** What a lock says; `null` if it has gone. */
function readLock(disk: Disk, path: string): string | null {
  try {
    return disk.readLink(path);
  } catch (error) {
    if (isMissing(error)) return null;
    if (error instanceof StorageError && error.code === 'EINVAL') return '';
    throw error;
  }
}

function parseIdentity(text: string): ProcessIdentity | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'pid' in value && 'host' in value
      ? (value as ProcessIdentity)
      : null;
  } catch {
    return null;
  }
}

function refused(root: string, reason: string): RefusedError {
  return new RefusedError('ELOCKED', `${root}: refused, ${reason}`);
}
