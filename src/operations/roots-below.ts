import { join } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { StorageError } from '../errors.js';
import { isShardName, parseSegmentName } from '../format/names.js';
import { hasFormatMarker } from './log-root.js';

/** Directories in a directory that look like log roots, in path order: to be named when it is none itself. */
export function logRootsBelow(disk: Disk, directory: string): string[] {
  return disk
    .readDirectory(directory)
    .filter(({ kind, utf8 }) => utf8 && (kind === 'directory' || kind === 'link'))
    .map(({ name }) => join(directory, name))
    .filter((path) => looksLikeLogRoot(disk, path));
}

function looksLikeLogRoot(disk: Disk, path: string): boolean {
  try {
    const entries = disk.readDirectory(path);
    const hasCopy = entries.some(
      ({ name }) => parseSegmentName(name) !== null || isShardName(name),
    );
    return hasCopy || hasFormatMarker(entries);
  } catch (error) {
    if (error instanceof StorageError) return false;
    throw error;
  }
}
