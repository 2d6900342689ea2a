import { KEY_LENGTH_AT } from './frame.js';

/**
 * Follows the inner lengths of one payload whose bytes arrive in pieces of any size, so that a record of
 * a gigabyte is parsed in bounded memory. Feed pieces in order, then ask `parses`.
 */
export class PayloadParser {
  readonly #length: number;
  /** Position in the payload of the next byte that `push` receives. */
  #at = 0;
  /** Position in the payload where the next 4-byte length or count field starts. */
  #fieldAt = KEY_LENGTH_AT;
  #field = 0;
  #fieldBytes = 0;
  /** Length fields still to come before the header count; then those of the headers. */
  #lengthsLeft = 2;
  #countSeen = false;
  #failed = false;

  /** @param length the payload's length in bytes, at least 29. */
  constructor(length: number) {
    this.#length = length;
  }

  push(piece: Uint8Array): void {
    const end = this.#at + piece.length;
    while (!this.#finished && this.#fieldAt + this.#fieldBytes < end) {
      const byte = piece[this.#fieldAt + this.#fieldBytes - this.#at] ?? 0;
      this.#field = this.#field * 256 + byte;
      this.#fieldBytes++;
      if (this.#fieldBytes === 4) this.#takeField();
    }
    this.#at = end;
  }

  /** Whether every inner length lies inside the payload; to be asked once all of it was pushed. */
  get parses(): boolean {
    return !this.#failed && this.#countSeen && this.#lengthsLeft === 0;
  }

  get #finished(): boolean {
    return this.#failed || (this.#countSeen && this.#lengthsLeft === 0);
  }

  #takeField(): void {
    const value = this.#field;
    this.#field = 0;
    this.#fieldBytes = 0;
    this.#fieldAt += 4;
    if (this.#lengthsLeft > 0) {
      this.#lengthsLeft--;
      this.#fieldAt += value;
      if (this.#fieldAt > this.#length) this.#failed = true;
    } else {
      this.#countSeen = true;
      this.#lengthsLeft = value * 2;
    }
  }
}

/** Whether the inner lengths of a payload that is in memory as a whole lie inside it. */
export function payloadParses(payload: Uint8Array): boolean {
  const parser = new PayloadParser(payload.length);
  parser.push(payload);
  return parser.parses;
}
