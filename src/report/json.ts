import { stringify } from 'lossless-json';
import { safeJson } from './safe-text.js';

/**
 * Renders the one document of a `--json` answer: keys in snake_case, 64-bit integers with all their
 * digits. The keys of a `Map` are data (node names, say) and stay as they are.
 *
 * @param command names the schema, `malachi.<command>/1`.
 */
export function renderJson(command: string, answer: object): string {
  const document = { schema: `malachi.${command}/1`, ...(toSnakeCase(answer) as object) };
  return `${safeJson(stringify(document, null, 2) ?? '')}\n`;
}

function toSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSnakeCase);
  if (value instanceof Map) {
    return toObject([...value].map(([key, held]) => [String(key), toSnakeCase(held)]));
  }
  if (typeof value === 'object' && value !== null) {
    return toObject(
      Object.entries(value)
        .filter(([, held]) => held !== undefined)
        .map(([key, held]) => [snakeCase(key), toSnakeCase(held)]),
    );
  }
  return value;
}

/** Without a prototype, so that a key such as `__proto__` is a key like any other. */
function toObject(entries: [string, unknown][]): object {
  const object = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of entries) object[key] = value;
  return object;
}

function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
