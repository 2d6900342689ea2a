import { isObject } from '../control-plane/json-node.js';
import { LosslessNumber } from 'lossless-json';

/** One place where a document does not hold what was expected of it. */
export interface Difference {
  /** JSON pointer into the document that was found. */
  readonly pointer: string;
  readonly expected: unknown;
  /** `undefined` where there is nothing. */
  readonly found: unknown;
}

/**
 * Where `found` does not contain `expected`, in the order of `expected`. An object contains another if it
 * has its keys and their values contain the other's; an array if it has as many elements and each contains
 * the other's; all else if it is equal. Integers are compared with all their digits.
 */
export function missingFrom(expected: unknown, found: unknown, pointer = ''): Difference[] {
  if (Array.isArray(expected)) {
    if (!Array.isArray(found) || found.length !== expected.length) {
      return [{ pointer, expected, found }];
    }
    return expected.flatMap((element, at) => missingFrom(element, found[at], `${pointer}/${at}`));
  }
  if (isObject(expected)) {
    if (!isObject(found)) return [{ pointer, expected, found }];
    return Object.entries(expected).flatMap(([key, value]) =>
      missingFrom(
        value,
        Object.hasOwn(found, key) ? found[key] : undefined,
        `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      ),
    );
  }
  return scalarText(expected) === scalarText(found) ? [] : [{ pointer, expected, found }];
}

/** The same text for equal values only; numbers are a type of their own, whatever holds them. */
function scalarText(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'bigint') return `number ${value}`;
  if (value instanceof LosslessNumber) return `number ${value.value}`;
  if (typeof value === 'string') return `string ${value}`;
  if (value === null || typeof value === 'boolean') return `literal ${value}`;
  return null;
}
