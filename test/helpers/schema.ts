import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'lossless-json';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const schemas = fileURLToPath(new URL('../../schemas/', import.meta.url));

export function schemaPath(command: string): string {
  return `${schemas}${command}.schema.json`;
}

/**
 * What is wrong with an answer by the shipped schema of its command: one line a fault, none if it is right.
 * Keys that the schema does not describe are faults here, though not for a user, so that a schema cannot
 * fall behind its command.
 *
 * @param text the whole output of a `--json` run.
 */
export function schemaFaults(text: string): string[] {
  const answer = parse(text, undefined, readNumber) as { schema?: unknown };
  const name = typeof answer.schema === 'string' ? answer.schema : '';
  const match = /^malachi\.([a-z-]+)\/1$/.exec(name);
  if (!match) return [`schema: expected malachi.<command>/1, found ${JSON.stringify(name)}`];
  return faultsBy(match[1] ?? '', answer);
}

/** The same for a document of any origin, by the schema of this name. */
export function faultsBy(command: string, document: unknown): string[] {
  const schema = closed(JSON.parse(readFileSync(schemaPath(command), 'utf8')) as Json);
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true });
  const validate = ajv.compile(schema as object);
  if (validate(document)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${instancePath || '/'}: ${message ?? ''} ${JSON.stringify(params)}`,
  );
}

/**
 * Numbers of an answer are integers with all their digits: no exponent or fraction stands for one. They
 * become doubles here, which the validator knows: a rounded integer is an integer still.
 */
function readNumber(digits: string): number {
  if (!/^-?(0|[1-9]\d*)$/.test(digits)) {
    throw new RangeError(`expected a number with all its digits, found ${digits}`);
  }
  return Number(digits);
}

/** The schema with every object closed to keys that it does not name. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, held]) => [key, closed(held)]),
  );
  const isOpenObject = inner['type'] === 'object' && !('additionalProperties' in inner);
  return isOpenObject ? { ...inner, additionalProperties: false } : inner;
}
