import type { SegmentRecord } from '../format/frame.js';
import { DEFAULT_PAGE_BYTES } from './defaults.js';
import type { ReadLimits, RecordPage } from './page.js';
import type { SegmentFiles } from './segment-files.js';

/**
 * - `limit`: there may be more
 * - `end`: the end of the log
 * - `gap`: the records up to the next file's first one cannot be read, for damage or because they are missing
 */
export type LogPageEnd = 'limit' | 'end' | 'gap';

export interface LogPage {
  readonly records: readonly SegmentRecord[];
  readonly end: LogPageEnd;
  /** Bytes of the frames of these records. */
  readonly bytes: number;
}

/**
 * Reads across the files of a log: file i's end offset is file i+1's base offset.
 *
 * @param all the files by ascending base offset.
 * @param read reads a page of one of them.
 */
export function readAcross(
  all: readonly SegmentFiles[],
  read: (files: SegmentFiles, from: bigint, limits: ReadLimits) => RecordPage,
  fromOffset: bigint,
  limits: ReadLimits,
): LogPage {
  const { maxRecords = Infinity, maxBytes = DEFAULT_PAGE_BYTES } = limits;
  const records: SegmentRecord[] = [];
  let bytes = 0;
  let at = Math.max(
    0,
    all.findLastIndex(({ baseOffset }) => baseOffset <= fromOffset),
  );
  for (let files = all[at]; files; files = all[++at]) {
    const left = { maxRecords: maxRecords - records.length, maxBytes: maxBytes - bytes };
    if (left.maxRecords < 1 || (left.maxBytes < 1 && records.length > 0)) {
      return { records, end: 'limit', bytes };
    }
    const page = read(files, fromOffset, left);
    // The first record of a page comes whatever its size, but only the first one of the whole.
    if (records.length > 0 && page.bytes > left.maxBytes) return { records, end: 'limit', bytes };
    for (const record of page.records) records.push(record);
    bytes += page.bytes;
    if (page.end === 'limit') return { records, end: 'limit', bytes };

    const next = all[at + 1];
    const reached = page.records.at(-1)?.offset;
    const isWhole = next
      ? (reached === undefined ? fromOffset : reached + 1n) >= next.baseOffset
      : page.end === 'end';
    if (!isWhole) return { records, end: 'gap', bytes };
  }
  return { records, end: 'end', bytes };
}
