import type { Disk } from '../disk/disk.js';
import { isThere, removeIfThere, replaceFile } from '../disk/durable.js';
import { withFileSteps } from '../disk/file-source.js';
import { SidecarBuilder } from '../format/sidecar.js';
import { walkSteps } from '../format/walk.js';
import { isSealed } from './sealing.js';
import type { SegmentFiles } from './segment-files.js';
import type { ScanSettings } from './verification.js';

/** Where a log's file is to be cut, and what its sidecar is then. */
export interface Cut {
  readonly files: SegmentFiles;
  /** End of the last frame that stays, in bytes. */
  readonly position: number;
  readonly sidecar: Uint8Array;
}

/**
 * Finds the frame boundary at `endOffset` in a file that starts at or before it. Changes nothing; yields
 * positions.
 *
 * @returns the cut, or the offset where the file's good frames end if that is before `endOffset`.
 * @throws StorageError
 */
export function* findCutSteps(
  files: SegmentFiles,
  endOffset: bigint,
  settings: ScanSettings,
): Generator<number, Cut | bigint> {
  const { baseOffset } = files;
  const sidecar = new SidecarBuilder(settings.indexInterval);
  const recordLimit = Number(endOffset - baseOffset);
  return yield* withFileSteps(settings.disk, files.logPath, function* (source) {
    const options = { baseOffset, parse: true, recordLimit, sidecar };
    const { state, validBytes } = yield* walkSteps(source, settings.kernel(), options);
    if (state.nextOffset < endOffset) return state.nextOffset;
    return { files, position: validBytes, sidecar: sidecar.bytes() };
  });
}

/**
 * Replaces the sidecar of a file that is about to be cut, so that at no moment it points past the end. A file
 * that has none and is not sealed stays without.
 *
 * @throws StorageError
 */
export function writeCutSidecar(disk: Disk, { files, sidecar }: Cut): void {
  if (isThere(disk, files.sidecarPath) || isSealed(disk, files)) {
    replaceFile(disk, files.sidecarPath, sidecar);
  }
}

/** Cuts the file at the boundary, durably; whatever stands behind it goes. @throws StorageError */
export function cutFile(disk: Disk, { files, position }: Cut): void {
  const fd = disk.open(files.logPath, 'write');
  try {
    if (disk.fstat(fd).size > position) disk.truncate(fd, position);
    disk.sync(fd);
  } finally {
    disk.close(fd);
  }
}

/**
 * Removes a log's last file with its marker and sidecar, durably; the file itself goes last, so that no marker
 * is left for a later file of its name.
 *
 * @throws StorageError
 */
export function removeSegment(disk: Disk, files: SegmentFiles): void {
  removeIfThere(disk, files.sealedPath);
  removeIfThere(disk, files.sidecarPath);
  disk.syncDirectory(files.directory);
  removeIfThere(disk, files.logPath);
  disk.syncDirectory(files.directory);
}

/**
 * Splits a log's files at an offset: which one is to be cut, and which stand wholly past it. A log keeps its
 * first file.
 *
 * @param all the files by ascending base offset. @returns `null` if the offset is before the first.
 */
export function splitAt(
  all: readonly SegmentFiles[],
  endOffset: bigint,
): { readonly cut: SegmentFiles; readonly past: readonly SegmentFiles[] } | null {
  const [first] = all;
  if (!first || endOffset < first.baseOffset) return null;
  const kept = all.filter(({ baseOffset }, n) => n === 0 || baseOffset < endOffset);
  return { cut: kept.at(-1) ?? first, past: all.slice(kept.length) };
}
