import { crc32 as zlibCrc32 } from 'node:zlib';

/**
 * CRC-32 (IEEE, as zlib), unsigned.
 *
 * @param seed the checksum of the bytes before these, to go on from.
 */
export function crc32(bytes: Uint8Array, seed = 0): number {
  return zlibCrc32(bytes, seed);
}
