import stringWidth from 'string-width';

const PRINTABLE_ASCII = /^[ -~]*$/;

/** Columns that a text takes on a terminal. */
export function displayWidth(text: string): number {
  return PRINTABLE_ASCII.test(text) ? text.length : stringWidth(text);
}
