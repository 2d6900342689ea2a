import { hostname } from 'node:os';
import { StorageError } from '../errors.js';
import type { Disk } from './disk.js';
import { isMissing } from './durable.js';

/** Names one process for good: a pid alone is given out again. What the platform does not tell is `null`. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks from the machine's start to the process's. */
  readonly startTime: string | null;
  /** One for each start of the machine. */
  readonly bootId: string | null;
  /** The space that the pid is counted in; containers have their own. */
  readonly pidNamespace: string | null;
  readonly host: string;
}

/** `unknown` for a process of another machine or container, which cannot be looked at from here. */
export type ProcessState = 'alive' | 'dead' | 'unknown';

export function currentProcess(disk: Disk): ProcessIdentity {
  const isLinux = process.platform === 'linux';
  return {
    pid: process.pid,
    startTime: isLinux ? (readStatus(disk, process.pid)?.startTime ?? null) : null,
    bootId: isLinux ? readPseudoFile(disk, '/proc/sys/kernel/random/boot_id').trim() : null,
    pidNamespace: isLinux ? disk.readLink('/proc/self/ns/pid') : null,
    host: hostname(),
  };
}

/** @param self the process that asks. */
export function processState(
  disk: Disk,
  asked: ProcessIdentity,
  self: ProcessIdentity,
): ProcessState {
  if (asked.host !== self.host) return 'unknown';
  if (asked.bootId !== self.bootId) return 'dead';
  if (asked.pidNamespace !== self.pidNamespace) return 'unknown';
  if (self.startTime === null) return answersSignals(asked.pid) ? 'alive' : 'dead';
  const status = readStatus(disk, asked.pid);
  if (!status || status.startTime !== asked.startTime) return 'dead';
  return status.ended ? 'dead' : 'alive';
}

/** Whether there is a process with this number, as far as this one can see. */
export function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

interface ProcessStatus {
  readonly startTime: string;
  /** A zombie: it only waits to be counted. */
  readonly ended: boolean;
}

function readStatus(disk: Disk, pid: number): ProcessStatus | null {
  const text = readOfProcess(disk, `/proc/${pid}/stat`);
  if (text === null) return null;
  // The name stands in brackets and may hold anything; the state follows, and 19 fields on the start time.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state = '', startTime = ''] = [fields[0], fields[19]];
  return { startTime, ended: state === 'Z' || state === 'X' };
}

/** Reads a file below a process's `/proc` directory; `null` if the process has gone. */
export function readOfProcess(disk: Disk, path: string): string | null {
  try {
    return readPseudoFile(disk, path);
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

/** Whether an error under `/proc/<pid>` says that the process has ended. */
export function isGone(error: unknown): boolean {
  return isMissing(error) || (error instanceof StorageError && error.code === 'ESRCH');
}

/** Reads a file that claims to be empty and is made when it is read. */
function readPseudoFile(disk: Disk, path: string): string {
  const fd = disk.open(path, 'read');
  try {
    const bytes = Buffer.alloc(4096);
    return bytes.toString('utf8', 0, disk.read(fd, bytes, 0));
  } finally {
    disk.close(fd);
  }
}
