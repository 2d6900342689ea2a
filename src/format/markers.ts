/** The newest `malachi.format` that the toolkit understands. */
export const KNOWN_FORMAT = 1;

/** Parses lines of `key=value`, each ended by a newline; `null` if a line is anything else. */
export function parseKeyValues(text: string): Map<string, string> | null {
  const pairs = new Map<string, string>();
  if (!text.endsWith('\n')) return null;
  for (const line of text.slice(0, -1).split('\n')) {
    const equals = line.indexOf('=');
    if (equals <= 0) return null;
    pairs.set(line.slice(0, equals), line.slice(equals + 1));
  }
  return pairs;
}

/** Renders pairs as `key=value` lines, as every marker of the system has them. */
export function renderKeyValues(
  pairs: Iterable<readonly [string, string | number | bigint]>,
): string {
  let text = '';
  for (const [key, value] of pairs) text += `${key}=${value}\n`;
  return text;
}

/** What a log root's `malachi.format` says. */
export type FormatVerdict =
  | { readonly kind: 'known'; readonly format: number }
  | { readonly kind: 'too_new'; readonly format: string; readonly requires: string | null }
  | { readonly kind: 'no_marker' };

/** Judges the text of a `malachi.format` file. */
export function judgeFormat(text: string): FormatVerdict {
  const pairs = parseKeyValues(text);
  const format = pairs?.get('format');
  if (!pairs || format === undefined || !/^\d+$/.test(format)) return { kind: 'no_marker' };
  if (BigInt(format) > BigInt(KNOWN_FORMAT)) {
    return { kind: 'too_new', format, requires: pairs.get('requires') ?? null };
  }
  return { kind: 'known', format: Number(format) };
}

/** What a `SETTLED` marker records of a copy whose records were found to be the seal's. */
export interface SettledMarker {
  readonly endOffset: bigint;
  readonly records: bigint;
  readonly byteSize: bigint;
}

export function parseSettled(text: string): SettledMarker | null {
  const pairs = parseKeyValues(text);
  const endOffset = wholeNumber(pairs, 'end_offset');
  const records = wholeNumber(pairs, 'records');
  const byteSize = wholeNumber(pairs, 'byte_size');
  if (endOffset === null || records === null || byteSize === null) return null;
  return { endOffset, records, byteSize };
}

export function renderSettled(marker: SettledMarker): string {
  return renderKeyValues([
    ['end_offset', marker.endOffset],
    ['records', marker.records],
    ['byte_size', marker.byteSize],
  ]);
}

/** What a `SETTLING` marker records: which seal a copy is being brought down to, and what was kept of it. */
export interface SettlingMarker {
  readonly startOffset: bigint;
  readonly endOffset: bigint;
  readonly byteSize: bigint;
  /** Path of the quarantine entry; `null` if nothing was kept. */
  readonly quarantine: string | null;
}

export function parseSettling(text: string): SettlingMarker | null {
  const pairs = parseKeyValues(text);
  const startOffset = wholeNumber(pairs, 'start_offset');
  const endOffset = wholeNumber(pairs, 'end_offset');
  const byteSize = wholeNumber(pairs, 'byte_size');
  const quarantine = pairs?.get('quarantine');
  if (startOffset === null || endOffset === null || byteSize === null) return null;
  if (quarantine === undefined) return null;
  return { startOffset, endOffset, byteSize, quarantine: decodePath(quarantine) };
}

export function renderSettling(marker: SettlingMarker): string {
  return renderKeyValues([
    ['start_offset', marker.startOffset],
    ['end_offset', marker.endOffset],
    ['byte_size', marker.byteSize],
    // A path may hold a newline; a line may not.
    ['quarantine', encodeURI(marker.quarantine ?? '')],
  ]);
}

function decodePath(text: string): string | null {
  try {
    return text === '' ? null : decodeURI(text);
  } catch {
    return null;
  }
}

function wholeNumber(pairs: ReadonlyMap<string, string> | null, key: string): bigint | null {
  const value = pairs?.get(key);
  return value !== undefined && /^\d+$/.test(value) ? BigInt(value) : null;
}
