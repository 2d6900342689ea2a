import { isAbsolute, normalize, sep } from 'node:path';
import { parseJson } from '../../control-plane/json-node.js';
import type { JsonNode } from '../../control-plane/json-node.js';
import type { Disk } from '../../disk/disk.js';
import { readSmallFile } from '../../disk/file-source.js';
import { numberIn, onlyKeys, optional } from '../json-fields.js';

/** What a `case.json` asks for. */
export interface CheckCase {
  /** The command line, run in the case's directory. */
  readonly args: readonly string[];
  readonly exit: number;
  /** What the JSON answer must contain; `undefined` if nothing is asked of it. */
  readonly json: unknown;
  /** Paths, from the case's directory, that are copied into the case's own copy. */
  readonly copy: readonly string[];
  /** Run in a copy that is thrown away, because the command could change something. */
  readonly inCopy: boolean;
}

const CASE_FILE_LIMIT_BYTES = 64 * 1024 * 1024;
const KEYS = ['description', 'args', 'exit', 'json', 'copy'];

/** Commands that change nothing, whatever their options. */
const READING_COMMANDS = new Set([
  ...['inspect', 'compare', 'dump', 'inventory', 'plan-overrun'],
  ...['explain', 'completion', 'help', '--help', '--version'],
]);

/** @throws InvalidInputError with the JSON pointer of what is wrong; StorageError if it cannot be read. */
export function readCase(disk: Disk, path: string): CheckCase {
  const text = readSmallFile(disk, path, CASE_FILE_LIMIT_BYTES).toString('utf8');
  const node = parseJson(path, text);
  if (isDeep(node.value)) throw node.error(`JSON of ${MOST_LEVELS} levels at most`);
  onlyKeys(node, KEYS);
  optional(node, 'description', (field) => field.text('a text'), null);
  const args = words(node.field('args'), 'an array of arguments, the command first');
  const [command] = args;
  if (command === undefined) throw node.field('args').error('a command');
  for (const element of node.field('args').elements('an array')) {
    if (String(element.value).includes('\0')) throw element.error('a text without NUL');
  }
  const copy = optional(node, 'copy', (field) => words(field, 'an array of paths'), []);
  const inCopy = copy.length > 0 || !READING_COMMANDS.has(command);
  if (inCopy) refuseWaysOut(node.field('args'));
  return {
    args,
    exit: numberIn(node.field('exit'), 0, 255),
    json: node.field('json').value,
    copy,
    inCopy,
  };
}

function words(node: JsonNode, expected: string): string[] {
  return [...node.elements(expected)].map((element) => {
    if (typeof element.value !== 'string') throw element.error('a text');
    return element.value;
  });
}

/** A command that writes must not reach past its copy: `..` would lead to whatever lies beside that. */
function refuseWaysOut(args: JsonNode): void {
  for (const element of args.elements('an array')) {
    for (const part of String(element.value).split('=')) {
      if (isAbsolute(part) || normalize(part).split(sep).includes('..')) {
        throw element.error('a path below the case, which "copy" can bring there');
      }
    }
  }
}

/** More levels than any answer has, and few enough to walk through without a thought for the stack. */
const MOST_LEVELS = 500;

function isDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let levels = 0; level.length > 0; levels++) {
    if (levels > MOST_LEVELS) return true;
    level = level.flatMap((held) =>
      typeof held === 'object' && held !== null
        ? Object.values(held as Record<string, unknown>)
        : [],
    );
  }
  return false;
}
