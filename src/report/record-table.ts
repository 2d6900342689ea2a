import { parse, stringify } from 'lossless-json';
import type { ByteSource } from '../format/byte-source.js';
import { readBytes } from '../format/byte-source.js';
import type { StoredField, StoredRecord } from '../format/stored-record.js';
import { storedHeaders } from '../format/stored-record.js';
import type { ValueForm } from './record-json.js';
import { safeText } from './safe-text.js';
import type { Style } from './style.js';
import { rfc3339 } from './timestamp.js';
import { count } from './words.js';

/** Of a longer field only the front is read and shown, with its length told. */
const SHOWN_BYTES = 4096;
const SHOWN_HEADERS = 8;
const OFFSET_WIDTH = 10;
const TIME_WIDTH = 24;
/** At most; of a longer key the front is shown. */
const KEY_WIDTH = 16;

/** Widths of the columns that are not the same in each dump. */
export interface RecordColumns {
  readonly offset: number;
  readonly key: number;
}

/**
 * Columns by the first record: the others of a log are much like it. On a terminal the key takes no more
 * than this one needs, and leaves the rest to the value; a line with a longer key shifts its value.
 */
export function recordColumns(
  source: ByteSource,
  { offset, key }: StoredRecord,
  style: Style,
): RecordColumns {
  const isTerminal = style.columns !== Infinity;
  return {
    offset: Math.max(OFFSET_WIDTH, offset.toString().length),
    key: isTerminal ? Math.max('KEY'.length, keyText(source, key, style).length) : KEY_WIDTH,
  };
}

export function recordTableHead(columns: RecordColumns, style: Style): string {
  const head = `${'OFFSET'.padStart(columns.offset)}  ${'TIMESTAMP'.padEnd(TIME_WIDTH)}  ${'KEY'.padEnd(columns.key)}  VALUE`;
  return `${style.chalk.dim(head)}\n`;
}

/** One line for a record: offset, time, key (`-` for none), value, and headers in brackets. */
export function recordLine(
  source: ByteSource,
  record: StoredRecord,
  form: ValueForm,
  widths: RecordColumns,
  style: Style,
): string {
  const { offset, timestamp, key, value } = record;
  const time = rfc3339(timestamp) ?? timestamp.toString();
  const columns = [
    offset.toString().padStart(widths.offset),
    time.padEnd(TIME_WIDTH),
    keyText(source, key, style).padEnd(widths.key),
  ].join('  ');
  const left = style.columns - columns.length - 2;
  const shownValue = fieldText(source, value, form, left, style);
  const headers = headerText(source, record, style);
  return `${`${columns}  ${shownValue}${headers && `  ${style.chalk.dim(headers)}`}`.trimEnd()}\n`;
}

function keyText(source: ByteSource, key: StoredField | null, style: Style): string {
  return key ? fieldText(source, key, 'auto', KEY_WIDTH, style) : '-';
}

function headerText(source: ByteSource, record: StoredRecord, style: Style): string {
  if (record.headerCount === 0) return '';
  const shown: string[] = [];
  for (const { key, value } of storedHeaders(source, record)) {
    if (shown.length === SHOWN_HEADERS) {
      shown.push(`… ${count(record.headerCount, 'header')}`);
      break;
    }
    const [name, content] = [key, value].map((field) =>
      fieldText(source, field, 'auto', 40, style),
    );
    shown.push(`${name}=${content}`);
  }
  return `[${shown.join(' ')}]`;
}

/** A field on one line, safe for a terminal; cut to `width` columns where there is a terminal. */
function fieldText(
  source: ByteSource,
  field: StoredField,
  form: ValueForm,
  width: number,
  style: Style,
): string {
  const { position, length } = field;
  if (form === 'none') return count(length, 'byte');
  if (length === 0) return '""';
  const front = Buffer.from(readBytes(source, position, Math.min(length, SHOWN_BYTES)).buffer);
  const text = shownText(front, front.length < length, form);
  const room = style.columns === Infinity ? Infinity : Math.max(8, width);
  if (front.length === length && text.length <= room) return text;
  const note = `… (${count(length, 'byte')})`;
  return `${cut(text, room === Infinity ? text.length : Math.max(1, room - note.length))}${note}`;
}

function shownText(front: Buffer, isCut: boolean, form: ValueForm): string {
  if (form === 'hex' || form === 'base64') return front.toString(form);
  const text = decode(front, isCut, form === 'utf8');
  if (text === null) return `0x${front.toString('hex')}`;
  return safeText(isCut ? text : compactJson(text));
}

/** The text of the front of a field; `null` if it is none, or holds controls that no text has. */
function decode(front: Buffer, isCut: boolean, isForced: boolean): string | null {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: !isForced, ignoreBOM: true });
    // A cut may fall inside a character: such a part is not shown.
    const text = decoder.decode(front, { stream: isCut });
    return isForced || !hasControls(text) ? text : null;
  } catch {
    return null;
  }
}

function hasControls(text: string): boolean {
  return /[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f]/.test(text);
}

/** JSON over several lines comes on one, with all the digits of its numbers. */
function compactJson(text: string): string {
  if (!/^\s*[[{]/.test(text) || !text.includes('\n')) return text;
  try {
    return stringify(parse(text)) ?? text;
  } catch {
    return text;
  }
}

/** The first characters, without a half of a surrogate pair at the end. */
function cut(text: string, width: number): string {
  const front = text.slice(0, width);
  return /[\ud800-\udbff]$/.test(front) ? front.slice(0, -1) : front;
}
