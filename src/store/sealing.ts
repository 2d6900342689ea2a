import { dirname } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { isThere, removeIfThere, replaceFile } from '../disk/durable.js';
import type { SegmentFiles } from './segment-files.js';

/** Whether the file's `.sealed` marker is there. @throws StorageError */
export function isSealed(disk: Disk, files: SegmentFiles): boolean {
  return isThere(disk, files.sealedPath);
}

/**
 * Writes a sealed file's sidecar, then its marker, each durable before the next. The file's own bytes must be
 * durable before: the marker is the last thing to reach the disk.
 *
 * @throws StorageError
 */
export function writeSeal(disk: Disk, files: SegmentFiles, sidecar: Uint8Array): void {
  replaceFile(disk, files.sidecarPath, sidecar);
  writeMarker(disk, files.sealedPath);
}

/** Puts an empty marker file in its place, durably, unless it is there. @throws StorageError */
export function writeMarker(disk: Disk, path: string): void {
  if (isThere(disk, path)) disk.syncDirectory(dirname(path));
  else replaceFile(disk, path, new Uint8Array(0));
}

/**
 * Durably removes what stands beside a `.log` that is not there: a marker left over would seal the next file
 * of that name.
 *
 * @throws StorageError
 */
export function removeCompanions(disk: Disk, files: SegmentFiles): void {
  const removedMarker = removeIfThere(disk, files.sealedPath);
  const removedSidecar = removeIfThere(disk, files.sidecarPath);
  if (removedMarker || removedSidecar) disk.syncDirectory(files.directory);
}
