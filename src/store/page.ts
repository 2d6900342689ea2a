import type { ByteSource } from '../format/byte-source.js';
import type { SegmentRecord } from '../format/frame.js';
import { DEFAULT_PAGE_BYTES } from './defaults.js';
import { FrameReader } from './frame-reader.js';
import { findEntry } from './sparse-index.js';

export interface ReadLimits {
  /** Most records of a page, at least 1; default: no limit. */
  readonly maxRecords?: number;
  /** Most bytes of frames in a page, at least 1; the first record is given whatever its size. Default 1 MiB. */
  readonly maxBytes?: number;
}

/**
 * Why a page ended: at a limit (there may be more), at the end of the readable bytes, or in front of bytes
 * that are no good frame (blank space, a write under way, or damage: recovery or verification tells which).
 */
export type PageEnd = 'limit' | 'end' | 'no_frame';

export interface RecordPage {
  readonly records: readonly SegmentRecord[];
  readonly end: PageEnd;
  /** Bytes of the frames of these records. */
  readonly bytes: number;
}

/**
 * The records whose offset is `from` or more, in the order of the file, up to the limits.
 *
 * The index is believed only as far as the frames bear it out: where it leads to no good frame or to another
 * offset than it says, or the page is empty, starts past `from` or is not consecutive, the file is read from
 * its start. In a file whose offsets ascend, the answer is thus the same whatever the index holds. (A record's
 * value that contains whole frames can only be told from the file's own by reading from the start; an index
 * that points into one is not something that a store writes.)
 *
 * @param index entries as in a sidecar; `null` to read from the start.
 * @throws RangeError if a limit is below 1. @throws StorageError if the file or the index cannot be read.
 */
export function readPage(
  source: ByteSource,
  index: ByteSource | null,
  from: bigint,
  limits: ReadLimits = {},
): RecordPage {
  for (const limit of [limits.maxRecords ?? 1, limits.maxBytes ?? 1]) {
    if (!(limit >= 1)) throw new RangeError(`a limit of a page must be at least 1, found ${limit}`);
  }
  const reader = new FrameReader(source);
  const hint = index && findEntry(index, from);
  if (hint && hint.position > 0n && hint.position < BigInt(source.size)) {
    const position = Number(hint.position);
    if (reader.at(position)?.record.offset === hint.offset) {
      const page = collect(reader, source.size, position, from, limits);
      if (page.end !== 'no_frame' && isRun(page.records, from)) return page;
    }
  }
  return collect(reader, source.size, 0, from, limits);
}

/** Whether there are records, and their offsets count up from `from`. */
function isRun(records: readonly SegmentRecord[], from: bigint): boolean {
  return records.length > 0 && records.every(({ offset }, n) => offset === from + BigInt(n));
}

function collect(
  reader: FrameReader,
  size: number,
  start: number,
  from: bigint,
  limits: ReadLimits,
): RecordPage {
  const { maxRecords = Infinity, maxBytes = DEFAULT_PAGE_BYTES } = limits;
  const records: SegmentRecord[] = [];
  let bytes = 0;
  let position = start;
  while (position < size) {
    const found = reader.at(position);
    if (!found) return { records, end: 'no_frame', bytes };
    const { record, frameBytes } = found;
    position += frameBytes;
    if (record.offset < from) continue;
    if (records.length > 0 && bytes + frameBytes > maxBytes)
      return { records, end: 'limit', bytes };
    records.push(record);
    bytes += frameBytes;
    if (records.length >= maxRecords) return { records, end: 'limit', bytes };
  }
  return { records, end: 'end', bytes };
}
