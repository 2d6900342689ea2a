import type { DamageView } from '../operations/damage-view.js';
import type { Style } from './style.js';

const LINE_BYTES = 16;

/**
 * Renders bytes around a damage, 80 columns wide; `>` marks the line in which the damage starts, and the line
 * below it its first byte.
 */
export function renderHexView(view: DamageView, style: Style): string {
  const bytes = Buffer.from(view.bytes, 'hex');
  let text = '';
  for (let at = 0; at < bytes.length; at += LINE_BYTES) {
    const lineAt = view.start + at;
    const line = bytes.subarray(at, at + LINE_BYTES);
    const marked = view.position >= lineAt && view.position < lineAt + LINE_BYTES;
    const paint = (byte: number, shown: string): string =>
      lineAt + byte >= view.position ? style.chalk.red(shown) : shown;
    const hex = Array.from({ length: LINE_BYTES }, (_, n) => {
      const byte = line[n];
      const shown = byte === undefined ? '  ' : paint(n, byte.toString(16).padStart(2, '0'));
      return n === LINE_BYTES / 2 ? ` ${shown}` : shown;
    }).join(' ');
    const ascii = [...line].map((byte, n) => paint(n, printable(byte))).join('');
    const address = style.chalk.dim(lineAt.toString(16).padStart(8, '0'));
    text += `${marked ? '>' : ' '} ${address}  ${hex}  |${ascii}|\n`;
    if (marked) text += caretLine(view.position - lineAt);
  }
  return text;
}

const HEX_COLUMN = 12;

function caretLine(byte: number): string {
  const gap = byte < LINE_BYTES / 2 ? 0 : 1;
  return `${' '.repeat(HEX_COLUMN + 3 * byte + gap)}^^\n`;
}

function printable(byte: number): string {
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.';
}
