import { createRequire } from 'node:module';
import * as zlib from 'node:zlib';

type Crc32 = (bytes: Uint8Array, seed?: number) => number;

/**
 * CRC-32 by a library in plain JavaScript, which every faster way is held against.
 *
 * @param seed the checksum of the bytes before these, to go on from.
 */
export const referenceCrc32: Crc32 = (bytes, seed = 0) => reference().buf(bytes, seed) >>> 0;

/** Whether the platform brings a CRC-32 of its own: Node has since 20.15 and 22.2, and 21 never had. */
export const hasNativeCrc32 = typeof (zlib as Partial<typeof zlib>).crc32 === 'function';

/**
 * CRC-32 (IEEE, as zlib), unsigned.
 *
 * @param seed the checksum of the bytes before these, to go on from.
 */
export const crc32: Crc32 = hasNativeCrc32
  ? (bytes, seed = 0) => zlib.crc32(bytes, seed)
  : referenceCrc32;

interface Crc32Library {
  /** Answers a signed number. */
  buf(bytes: Uint8Array, seed: number): number;
}

let library: Crc32Library | null = null;

/** Loaded when it is first needed, which is never where zlib has a CRC-32. */
function reference(): Crc32Library {
  library ??= createRequire(import.meta.url)('crc-32') as Crc32Library;
  return library;
}
