/**
 * The bytes of one file, of the size it had when it was opened. Pure code reads files through this and
 * never learns where the bytes come from.
 */
export interface ByteSource {
  /** Size in bytes, fixed at opening. */
  readonly size: number;
  /**
   * Fills `target` with the bytes from `position` on; the range lies inside `size`.
   *
   * @throws StorageError if the system fails, or if the file has become shorter than `size` (`ECHANGED`).
   */
  readInto(target: Uint8Array, position: number): void;
}

/** A source over bytes in memory. */
export function memorySource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    readInto: (target, position) => {
      target.set(bytes.subarray(position, position + target.length));
    },
  };
}

/** Reads `length` bytes into a fresh array. */
export function readBytes(source: ByteSource, position: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  source.readInto(bytes, position);
  return bytes;
}

const zeros = Buffer.alloc(65536);

/** Whether every byte is zero; true for none. */
export function isAllZero(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at += zeros.length) {
    const piece = bytes.subarray(at, at + zeros.length);
    if (!zeros.subarray(0, piece.length).equals(piece)) return false;
  }
  return true;
}
