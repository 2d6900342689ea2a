/** Where a node rolls a log to a new file, in bytes. */
export const NODE_SEGMENT_BYTES = 64 * 1024 * 1024;
/** Age at which the library rolls a log to a new file, in milliseconds. */
export const DEFAULT_SEGMENT_AGE_MS = 60 * 60 * 1000;
/** Buffered bytes that make an append write and sync by itself. */
export const DEFAULT_FLUSH_BYTES = 10 * 1024 * 1024;
/** Buffered records that make an append write and sync by itself. */
export const DEFAULT_FLUSH_COUNT = 20_000;
/** Bytes of frames that a page of records holds if nothing else is asked. */
export const DEFAULT_PAGE_BYTES = 1024 * 1024;
