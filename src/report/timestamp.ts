/** The first millisecond that RFC 3339, whose years have four digits, cannot write: year 10000. */
const END_MS = 253_402_300_800_000n;

/** A time as RFC 3339 in UTC, with milliseconds; `null` if it lies past the year 9999. */
export function rfc3339(epochMs: bigint): string | null {
  return epochMs < END_MS ? new Date(Number(epochMs)).toISOString() : null;
}
