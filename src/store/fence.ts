import { join } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { isThere } from '../disk/durable.js';
import { FENCE_MARKER } from '../format/names.js';
import { writeSeal } from './sealing.js';
import type { SegmentFiles } from './segment-files.js';
import type { ScanSettings } from './verification.js';
import { buildSidecarSteps } from './verification.js';

export function fencePath(directory: string): string {
  return join(directory, FENCE_MARKER);
}

/** Whether the log is fenced as a whole. @throws StorageError */
export function isFenced(disk: Disk, directory: string): boolean {
  return isThere(disk, fencePath(directory));
}

/**
 * Seals a file that no handle has open: its sidecar is rewritten from its good frames. No byte of the `.log`
 * changes. Yields positions.
 *
 * @throws StorageError
 */
export function* sealFileSteps(
  files: SegmentFiles,
  settings: ScanSettings,
): Generator<number, void> {
  const sidecar = yield* buildSidecarSteps(files, settings);
  writeSeal(settings.disk, files, sidecar.bytes());
}
