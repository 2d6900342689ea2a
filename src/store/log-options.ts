import { DEFAULT_SEGMENT_AGE_MS, NODE_SEGMENT_BYTES } from './defaults.js';
import type { SegmentStoreOptions } from './settings.js';
import { atLeast } from './settings.js';

export interface LogOptions extends SegmentStoreOptions {
  /** Offset of the first record where the directory has no file yet. Default 0. */
  readonly startOffset?: bigint;
  /** Bytes of frames at which an append goes on in a new file, at least 1. Default 64 MiB. */
  readonly segmentBytes?: number;
  /** Milliseconds since a file was opened after which an append goes on in a new one. Default 1 hour. */
  readonly segmentAgeMs?: number;
  /** Milliseconds, never going back. Default `Date.now`. */
  readonly clock?: () => number;
}

/** When a log goes on in a new file. */
export interface RollRule {
  readonly segmentBytes: number;
  readonly segmentAgeMs: number;
  readonly clock: () => number;
}

/** @throws RangeError if a number is out of its range. */
export function rollRule(options: LogOptions): RollRule {
  return {
    segmentBytes: atLeast(1, 'segmentBytes', options.segmentBytes ?? NODE_SEGMENT_BYTES),
    segmentAgeMs: atLeast(1, 'segmentAgeMs', options.segmentAgeMs ?? DEFAULT_SEGMENT_AGE_MS),
    clock: options.clock ?? Date.now,
  };
}
