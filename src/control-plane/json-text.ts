import { LosslessNumber, parse } from 'lossless-json';
import { InvalidInputError } from '../errors.js';

/** Digits that are read as an integer. Others, with a sign of zero, a fraction or an exponent, are kept as text. */
const WHOLE_NUMBER = /^(0|-?[1-9]\d{0,19})$/;
/**
 * Numbers that a double would change, or whose spelling it would lose. Matches inside a string, too: that
 * only costs time.
 */
const NEEDS_LOSSLESS = /(?:^|[:,[])\s*(?:-?\d{16}|-?\d+[.eE]|-0)/;

/**
 * The value of a JSON text, with every integer of up to 20 digits exact, as a `number` or a `bigint`; other
 * numbers are `LosslessNumber`s. Of a repeated key, the last counts. The built-in parser, ten times as fast
 * and lean, reads every text that it can read exactly.
 *
 * @param source the document's name, which starts every message about it.
 * @throws {InvalidInputError} if the text is no JSON: one line, with the position.
 */
export function parseJsonText(source: string, text: string): unknown {
  if (!NEEDS_LOSSLESS.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // Read once more below, for an error with the position.
    }
  }
  try {
    return parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new InvalidInputError(`${source}: expected JSON: ${onOneLine(error.message)}`);
    }
    if (error instanceof RangeError) {
      throw new InvalidInputError(`${source}: expected JSON, found values nested too deeply`);
    }
    throw error;
  }
}

function parseNumber(digits: string): bigint | LosslessNumber {
  return WHOLE_NUMBER.test(digits) ? BigInt(digits) : new LosslessNumber(digits);
}

/** Escapes what the message quotes of the text. */
function onOneLine(message: string): string {
  return JSON.stringify(message).slice(1, -1).replaceAll('\\"', '"').replaceAll('\\\\', '\\');
}
