import { isUtf8 as holdsUtf8 } from 'node:buffer';
import type { ByteSource } from './byte-source.js';
import { readBytes } from './byte-source.js';
import type { StoredField } from './stored-record.js';
import { PIECE_BYTES, fieldPieces } from './stored-record.js';

/** Whether a field of any size is UTF-8, read piece by piece. */
export function isUtf8(source: ByteSource, field: StoredField): boolean {
  if (field.length <= PIECE_BYTES) return holdsUtf8(wholeField(source, field));
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for (const piece of fieldPieces(source, field)) decoder.decode(piece, { stream: true });
    decoder.decode();
    return true;
  } catch {
    return false;
  }
}

/** A field's text in pieces, none of which ends inside a character; other bytes become U+FFFD. */
export function* textPieces(source: ByteSource, field: StoredField): Generator<string> {
  if (field.length <= PIECE_BYTES) {
    yield wholeField(source, field).toString('utf8');
    return;
  }
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for (const piece of fieldPieces(source, field)) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

function wholeField(source: ByteSource, { position, length }: StoredField): Buffer {
  return Buffer.from(readBytes(source, position, length).buffer);
}
