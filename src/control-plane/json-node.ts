import { LosslessNumber } from 'lossless-json';
import { InvalidInputError } from '../errors.js';
import { parseJsonText } from './json-text.js';

export const MAX_U64 = 0xffff_ffff_ffff_ffffn;

const SHOWN_CHARACTERS = 60;

/**
 * Parses a JSON document with every integer exact.
 *
 * @param source the document's name, which starts every message about it.
 * @throws {InvalidInputError} if the text is no JSON: one line, with the position.
 */
export function parseJson(source: string, text: string): JsonNode {
  return new JsonNode(parseJsonText(source, text), source, null, '');
}

/** A value of a parsed document that knows its JSON pointer, so that what is wrong can be named. */
export class JsonNode {
  /** `undefined` if the document has no such value. */
  readonly value: unknown;
  readonly #source: string;
  readonly #parent: JsonNode | null;
  readonly #key: string | number;

  constructor(value: unknown, source: string, parent: JsonNode | null, key: string | number) {
    this.value = value;
    this.#source = source;
    this.#parent = parent;
    this.#key = key;
  }

  /** The document's name and the JSON pointer in it; only the name for the whole document. */
  get place(): string {
    const pointer = this.#pointer();
    return pointer === '' ? this.#source : `${this.#source}: ${pointer}`;
  }

  #pointer(): string {
    if (!this.#parent) return '';
    const step = String(this.#key).replaceAll('~', '~0').replaceAll('/', '~1');
    return `${this.#parent.#pointer()}/${step}`;
  }

  /** An error that says what was expected at this place, and what was found there. */
  error(expected: string, found: string = describe(this.value)): InvalidInputError {
    return new InvalidInputError(`${this.place}: expected ${expected}, found ${found}`);
  }

  isArray(): boolean {
    return Array.isArray(this.value);
  }

  /** Whether this is an object that has this key of its own, whatever its value. */
  has(name: string): boolean {
    return isObject(this.value) && Object.hasOwn(this.value, name);
  }

  /** The value of an object's key; it holds `undefined` if there is none. */
  field(name: string): JsonNode {
    const value = isObject(this.value) && this.has(name) ? this.value[name] : undefined;
    return new JsonNode(value, this.#source, this, name);
  }

  object(expected: string): this {
    if (!isObject(this.value)) throw this.error(expected);
    return this;
  }

  *elements(expected: string): Generator<JsonNode> {
    if (!Array.isArray(this.value)) throw this.error(expected);
    for (let index = 0; index < this.value.length; index += 1) {
      yield new JsonNode(this.value[index], this.#source, this, index);
    }
  }

  /** A whole number from 0 to 2^64 - 1. */
  u64(expected = 'a whole number of 0 or more'): bigint {
    const value = typeof this.value === 'number' ? BigInt(this.value) : this.value;
    if (typeof value !== 'bigint' || value < 0n) throw this.error(expected);
    if (value > MAX_U64) throw this.error(`a number of at most ${MAX_U64}`);
    return value;
  }

  text(expected: string): string {
    if (typeof this.value !== 'string' || this.value === '') throw this.error(expected);
    return this.value;
  }

  boolean(expected = 'true or false'): boolean {
    if (typeof this.value !== 'boolean') throw this.error(expected);
    return this.value;
  }

  /** `null` for a value of null, else what `read` makes of this node. */
  nullable<T>(read: (node: this) => T): T | null {
    return this.value === null ? null : read(this);
  }
}

/** Whether a parsed value is an object of JSON, no array and no number. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof LosslessNumber)
  );
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  if (isObject(value)) return 'an object';
  if (value instanceof LosslessNumber) return shorten(value.value);
  return shorten(typeof value === 'bigint' ? value.toString() : JSON.stringify(value));
}

function shorten(text: string): string {
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`;
}
