import { stripVTControlCharacters } from 'node:util';

/** A whole number with its thousands set apart: `1,048,576`. (Intl takes 13 ms to start.) */
export function number(value: number | bigint): string {
  return value.toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A number and its noun: `1 record`, `3 records`. */
export function count(value: number | bigint, noun: string, plural = `${noun}s`): string {
  return `${number(value)} ${BigInt(value) === 1n ? noun : plural}`;
}

/** Joins what there is of a list of parts: `a, b and c`. */
export function sentenceList(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}

/** Shortens a text in its middle, where names differ least. */
export function shorten(text: string, width: number): string {
  if (text.length <= width) return text;
  if (width < 2) return '…'.slice(0, width);
  const head = Math.ceil((width - 1) / 3);
  return `${text.slice(0, head)}…${text.slice(text.length - (width - 1 - head))}`;
}

/** The texts, each shortened; as they are if two that differ would then read the same. */
export function shortenApart(texts: Iterable<string>, width: number): Map<string, string> {
  const whole = new Set(texts);
  const short = new Map([...whole].map((text) => [text, shorten(text, width)]));
  if (new Set(short.values()).size === whole.size) return short;
  return new Map([...whole].map((text) => [text, text]));
}

/** A path as a word of a shell's command line. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Breaks a text at blanks into lines of at most `width` columns; a longer word stays whole. Colours take no
 * columns.
 */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let columns = 0;
  for (const word of text.split(' ')) {
    const wordColumns = stripVTControlCharacters(word).length;
    if (line !== '' && columns + 1 + wordColumns > width) {
      lines.push(line);
      line = word;
      columns = wordColumns;
    } else {
      columns += wordColumns + (line === '' ? 0 : 1);
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** A size for reading at a glance: `1.5 MiB`. */
export function bytesInUnits(bytes: number): string {
  let scaled = bytes;
  let unit = 0;
  while (scaled >= 1024 && unit < UNITS.length - 1) {
    scaled /= 1024;
    unit++;
  }
  return `${unit === 0 ? Math.round(scaled) : scaled.toFixed(1)} ${UNITS[unit]}`;
}
