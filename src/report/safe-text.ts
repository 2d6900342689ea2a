/*
 * Bytes from records and file names can hold terminal escapes. What is shown to a person goes through
 * `safeText`; what is shown to a program through JSON, with the same characters escaped.
 */

// C0 and C1 controls, DEL, line and paragraph separators, marks that reorder or hide text, and lone
// surrogates.
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The text with every character that could act on a terminal written as an escape. */
export function safeText(text: string): string {
  return text.replace(UNSAFE, (char) => SHORT[char] ?? unicodeEscape(char));
}

/** Escapes the same characters inside a JSON document, where all but the controls can stand raw. */
export function safeJson(json: string): string {
  return json.replace(UNSAFE, (char) => (char === '\n' ? char : unicodeEscape(char)));
}

function unicodeEscape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
