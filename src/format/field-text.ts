import type { ByteSource } from './byte-source.js';
import type { StoredField } from './stored-record.js';
import { fieldPieces } from './stored-record.js';

/** Whether a field of any size is UTF-8, read piece by piece. */
export function isUtf8(source: ByteSource, field: StoredField): boolean {
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
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for (const piece of fieldPieces(source, field)) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}
