import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createPlainKernel } from '../../src/format/frame-kernel.js';
import type { SegmentRecord } from '../../src/format/frame.js';
import type { RecordPage } from '../../src/store/page.js';
import type { NewRecord } from '../../src/store/segment-store.js';

/** A small one, so that thousands of scans do not each take 4 MiB. */
export const smallKernel = createPlainKernel(65536);

export function newRecord(value: string | Uint8Array, timestamp = 1n): NewRecord {
  return { timestamp, key: null, value: Buffer.from(value), headers: [] };
}

/** The value of each record as text. */
export function values(records: readonly SegmentRecord[]): string[] {
  return records.map(({ value }) => Buffer.from(value).toString());
}

export function offsets({ records }: RecordPage): bigint[] {
  return records.map(({ offset }) => offset);
}

export function sha256(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
