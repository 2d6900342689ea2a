import type { JsonNode } from '../control-plane/json-node.js';

/** Refuses an object with a key that is none of `names`: a misspelt key would else be passed over. */
export function onlyKeys(node: JsonNode, names: readonly string[]): void {
  const { value } = node.object('an object');
  for (const key of Object.keys(value as object)) {
    if (!names.includes(key)) {
      throw node.field(key).error(`one of the keys ${names.join(', ')}`, 'an unknown key');
    }
  }
}

/** A whole number in a range, both ends included. */
export function numberIn(node: JsonNode, least: number, most: number): number {
  const { value } = node;
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    throw node.error(`a whole number from ${least} to ${most}`);
  }
  if (value < least || value > most || !Number.isSafeInteger(Number(value))) {
    throw node.error(`a whole number from ${least} to ${most}`);
  }
  return Number(value);
}

export function oneOf<T extends string>(node: JsonNode, words: readonly T[]): T {
  const found = words.find((word) => word === node.value);
  if (found === undefined) throw node.error(`one of ${words.join(', ')}`);
  return found;
}

/** What `read` makes of a key's value; `otherwise` if the object has no such key. */
export function optional<T, U>(
  node: JsonNode,
  name: string,
  read: (field: JsonNode) => T,
  otherwise: U,
): T | U {
  return node.has(name) ? read(node.field(name)) : otherwise;
}
