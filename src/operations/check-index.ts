import type { Disk } from '../disk/disk.js';
import { readSmallFile } from '../disk/file-source.js';
import type { ByteSource } from '../format/byte-source.js';
import { LOG_SUFFIX, SIDECAR_SUFFIX } from '../format/names.js';
import type { SidecarBuilder, SidecarVerdict } from '../format/sidecar.js';
import { verifySidecar } from '../format/sidecar.js';

/** Path of the sidecar index beside a `.log` file. */
export function sidecarPath(logPath: string): string {
  return logPath.slice(0, -LOG_SUFFIX.length) + SIDECAR_SUFFIX;
}

/**
 * Verifies the sidecar of a file whose frames were found clean or blank.
 *
 * @param rebuilt the sidecar as a node's default interval makes it: one that equals it needs no look at
 *   the frames.
 * @throws StorageError if the sidecar cannot be read.
 */
export function checkIndex(
  disk: Disk,
  logPath: string,
  source: ByteSource,
  validBytes: number,
  rebuilt: SidecarBuilder,
): SidecarVerdict {
  // No sidecar can be larger than its file: an entry is smaller than the smallest frame.
  const sidecar = readSmallFile(disk, sidecarPath(logPath), source.size + 65536);
  if (sidecar.equals(rebuilt.bytes())) return { status: 'ok', entries: rebuilt.entries };
  return verifySidecar(sidecar, source, validBytes);
}
