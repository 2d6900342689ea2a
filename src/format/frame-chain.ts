import type { ByteSource } from './byte-source.js';
import { readBytes } from './byte-source.js';
import { FRAME_HEADER_BYTES } from './frame.js';
import { judgeFront, readU32 } from './frame-header.js';
import { checksumHolds } from './sidecar.js';
import type { StoredRecord } from './stored-record.js';
import { readStoredRecord } from './stored-record.js';
import type { Halt } from './walk.js';
import { zerosReachEnd } from './walk.js';

const PIECE_BYTES = 256 * 1024;

/** Where a chain of good frames ended, and why. */
export interface ChainEnd {
  readonly halt: Halt;
  readonly validBytes: number;
}

/**
 * Reads the records of the good frames that follow each other from `from`, as recovery does, until the
 * first answer that is no frame; yields them where they lie, and numbers (the position reached) in the tail.
 *
 * @param from where a frame starts.
 */
export function* readChain(
  source: ByteSource,
  from: number,
): Generator<StoredRecord | number, ChainEnd> {
  let position = from;
  const ended = (halt: Halt): ChainEnd => ({ halt, validBytes: position });
  while (position < source.size) {
    const left = source.size - position;
    const head = readBytes(source, position, Math.min(FRAME_HEADER_BYTES, left));
    const front = judgeFront(head, left);
    if (front === 'incomplete') return ended('eof');
    if (front === 'bad_magic') return ended('bad_magic');
    if (front === 'zeros') {
      const window = Buffer.alloc(Math.min(PIECE_BYTES, left));
      return ended((yield* zerosReachEnd(source, window, position)) ? 'blank' : 'bad_magic');
    }
    const length = readU32(head, 2);
    if (!checksumHolds(source, position, length, readU32(head, 6))) return ended('bad_crc');
    const record = readStoredRecord(source, position, position + FRAME_HEADER_BYTES + length);
    if (!record) return ended('bad_payload');
    yield record;
    position += record.bytes;
  }
  return ended('eof');
}
