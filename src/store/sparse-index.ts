import type { ByteSource } from '../format/byte-source.js';
import { readBytes } from '../format/byte-source.js';
import type { SidecarEntry } from '../format/sidecar.js';
import { decodeSidecar, SIDECAR_ENTRY_BYTES } from '../format/sidecar.js';

/**
 * The last entry of a sparse index whose offset is at most `offset`, by binary search where the entries lie
 * (in memory or in a file of any size). `null` if there is none, or none to be found because the entries
 * are not ascending: an index is a hint.
 *
 * @throws StorageError if the source cannot be read.
 */
export function findEntry(index: ByteSource, offset: bigint): SidecarEntry | null {
  let low = 0;
  let high = Math.floor(index.size / SIDECAR_ENTRY_BYTES);
  let found: SidecarEntry | null = null;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const bytes = readBytes(index, middle * SIDECAR_ENTRY_BYTES, SIDECAR_ENTRY_BYTES);
    const [entry] = decodeSidecar(bytes);
    if (entry && entry.offset <= offset) {
      found = entry;
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return found;
}
