import type { ByteSource } from '../format/byte-source.js';
import { readBytes } from '../format/byte-source.js';

/** Some bytes around a damage. */
export interface DamageView {
  /** Where the damage starts. */
  readonly position: number;
  /** Position of the first byte shown, a multiple of 16. */
  readonly start: number;
  /** The bytes, as hexadecimal digits. */
  readonly bytes: string;
}

const LINE_BYTES = 16;
const LINES_BEFORE = 2;
const LINES = 10;

export function readDamageView(source: ByteSource, position: number): DamageView {
  const line = Math.floor(position / LINE_BYTES);
  const start = Math.max(0, line - LINES_BEFORE) * LINE_BYTES;
  const length = Math.min(LINES * LINE_BYTES, source.size - start);
  const bytes = readBytes(source, start, length);
  return { position, start, bytes: Buffer.from(bytes).toString('hex') };
}
