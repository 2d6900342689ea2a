import { join } from 'node:path';
import type { DirectoryEntry, Disk } from '../disk/disk.js';
import {
  FENCE_MARKER,
  LOG_SUFFIX,
  SEALED_SUFFIX,
  SETTLED_MARKER,
  SETTLING_MARKER,
  SIDECAR_SUFFIX,
  parseLogName,
} from '../format/names.js';
import type { Problem } from './problem.js';
import { badName, toProblem } from './problem.js';

/** One `.log` file of a copy and what stands beside it. */
export interface LogFile {
  readonly path: string;
  readonly baseOffset: bigint;
  /** Its own `.sealed` marker is there. */
  readonly sealed: boolean;
  /** Its sidecar index is there. */
  readonly indexed: boolean;
}

/** One replica's copy of one segment, as a directory listing shows it. */
export interface CopyFiles {
  readonly path: string;
  /** In the order of their base offsets. */
  readonly logFiles: readonly LogFile[];
  /** The `SEALED` marker is there: the log is fenced as a whole. */
  readonly fenced: boolean;
  /** A `SETTLED` marker is there, whatever it says. */
  readonly settledMarker: boolean;
  /** A run of the toolkit that changed it was cut short. */
  readonly settlingMarker: boolean;
  /** Entries that end in `.log` and cannot be the log's files. */
  readonly problems: readonly Problem[];
}

/** Lists a copy's directory; opens none of its files. @throws StorageError if it cannot be listed. */
export function listCopyFiles(disk: Disk, path: string): CopyFiles {
  return copyFilesOf(path, disk.readDirectory(path));
}

export function copyFilesOf(path: string, entries: readonly DirectoryEntry[]): CopyFiles {
  const names = new Set(entries.map((entry) => entry.name));
  const logFiles: LogFile[] = [];
  const problems: Problem[] = [];
  for (const { name } of entries) {
    if (!name.endsWith(LOG_SUFFIX)) continue;
    const filePath = join(path, name);
    const baseOffset = parseLogName(name);
    if (baseOffset === null) {
      problems.push(toProblem(filePath, badName(filePath, `<20 digits>${LOG_SUFFIX}`)));
      continue;
    }
    const stem = name.slice(0, -LOG_SUFFIX.length);
    logFiles.push({
      path: filePath,
      baseOffset,
      sealed: names.has(stem + SEALED_SUFFIX),
      indexed: names.has(stem + SIDECAR_SUFFIX),
    });
  }
  return {
    path,
    logFiles,
    fenced: names.has(FENCE_MARKER),
    settledMarker: names.has(SETTLED_MARKER),
    settlingMarker: names.has(SETTLING_MARKER),
    problems,
  };
}
