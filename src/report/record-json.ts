import type { ByteSource } from '../format/byte-source.js';
import { isUtf8, textPieces } from '../format/field-text.js';
import type { StoredField, StoredRecord } from '../format/stored-record.js';
import { fieldPieces, storedHeaders } from '../format/stored-record.js';
import { safeJson } from './safe-text.js';
import { rfc3339 } from './timestamp.js';

/** How values are shown; `auto`: as text where they are text. */
export const VALUE_FORMS = ['auto', 'utf8', 'hex', 'base64', 'none'] as const;
export type ValueForm = (typeof VALUE_FORMS)[number];

/*
 * A record as one line of JSON, from which its fields can be had back to the byte:
 *
 *   {"offset":5,"timestamp":1700000000000,"time":"2023-11-14T22:13:20.000Z",
 *    "key":{"encoding":"utf8","bytes":2,"data":"k1"},"value":{"encoding":"base64","bytes":1,"data":"/w=="},
 *    "headers":[{"key":{…},"value":{…}}]}
 *
 * `key` is null for a record without one; `time` where RFC 3339 has no such year. The form `utf8` replaces
 * bytes that are no text, and then says `"lossy":true`; `none` leaves the data out.
 */

/** Renders a record in pieces, without a newline: a value of any size takes little memory. */
export function* recordJson(
  source: ByteSource,
  record: StoredRecord,
  form: ValueForm,
): Generator<string> {
  const { offset, timestamp, key, value } = record;
  const time = rfc3339(timestamp);
  yield `{"offset":${offset},"timestamp":${timestamp},"time":${time === null ? 'null' : `"${time}"`},"key":`;
  if (key) yield* fieldJson(source, key, 'auto');
  else yield 'null';
  yield ',"value":';
  yield* fieldJson(source, value, form);
  yield ',"headers":[';
  let separator = '';
  for (const header of storedHeaders(source, record)) {
    yield `${separator}{"key":`;
    yield* fieldJson(source, header.key, 'auto');
    yield ',"value":';
    yield* fieldJson(source, header.value, 'auto');
    yield '}';
    separator = ',';
  }
  yield ']}';
}

function* fieldJson(source: ByteSource, field: StoredField, form: ValueForm): Generator<string> {
  const head = (encoding: string): string => `{"encoding":"${encoding}","bytes":${field.length}`;
  if (form === 'none') {
    yield `${head('none')}}`;
    return;
  }
  const isText = (form === 'auto' || form === 'utf8') && isUtf8(source, field);
  if (isText || form === 'utf8') {
    yield `${head('utf8')}${isText ? '' : ',"lossy":true'},"data":"`;
    for (const text of textPieces(source, field)) yield safeJson(JSON.stringify(text).slice(1, -1));
  } else {
    const encoding = form === 'hex' ? 'hex' : 'base64';
    yield `${head(encoding)},"data":"`;
    for (const piece of fieldPieces(source, field)) {
      yield Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString(encoding);
    }
  }
  yield '"}';
}
