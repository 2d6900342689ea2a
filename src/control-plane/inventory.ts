import type { SettledMarker } from '../format/markers.js';
import { isNodeName } from './copy-key.js';
import { parseJson, type JsonNode } from './json-node.js';
import type { SourceText } from './snapshot.js';

export const INVENTORY_SCHEMA = 'malachi.inventory/1';

/** What a copy's directory says without opening a segment file. */
export interface MeasuredCopy {
  /** Sum of the sizes of its `.log` files, preallocated tails included. */
  readonly storedBytes: bigint;
  /** Whether it has a `SEALED` marker. */
  readonly fenced: boolean;
  readonly settled: SettledMarker | null;
}

/** What stands in one node's log root. */
export interface NodeCopies {
  readonly node: string;
  /** By directory name; `null` for a copy that is there and could not be measured. */
  readonly copies: ReadonlyMap<string, MeasuredCopy | null>;
  /** Whether every directory that can hold copies was listed: only then a copy that is not here is absent. */
  readonly complete: boolean;
}

/** Something that could not be read while the inventory was taken. */
export interface InventoryProblem {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

export interface Inventory {
  /** Milliseconds since the Unix epoch. */
  readonly takenAt: bigint;
  readonly nodes: readonly NodeCopies[];
  readonly problems: readonly InventoryProblem[];
}

/**
 * Reads a document that `malachi inventory` wrote.
 *
 * @throws {InvalidInputError} naming the JSON pointer, what was expected and what was found.
 */
export function readInventory({ name, text }: SourceText): Inventory {
  const root = parseJson(name, text).object('an inventory, an object');
  refuseOtherSchema(root, INVENTORY_SCHEMA);
  const takenAt = root.field('taken_at').u64();
  const nodes: NodeCopies[] = [];
  const problems: InventoryProblem[] = [];
  for (const element of root.field('nodes').elements('an array of nodes')) {
    const node = readNode(element);
    if (nodes.some((other) => other.node === node.node)) {
      throw element.field('node').error('each node once', `${JSON.stringify(node.node)} again`);
    }
    nodes.push(node);
    for (const problem of element.field('errors').elements('an array of errors')) {
      problems.push(readProblem(problem));
    }
  }
  return { takenAt, nodes, problems };
}

/** @throws {InvalidInputError} if the document is of another kind or version. */
export function refuseOtherSchema(root: JsonNode, schema: string): void {
  const found = root.field('schema');
  if (found.value !== schema) throw found.error(`"${schema}"`);
}

function readNode(element: JsonNode): NodeCopies {
  const nameNode = element.object('a node, an object').field('node');
  const expected = 'the name of a node, without a slash';
  const node = nameNode.text(expected);
  if (!isNodeName(node)) throw nameNode.error(expected);
  const complete = element.field('complete').boolean();
  const copies = new Map<string, MeasuredCopy | null>();
  for (const copy of element.field('copies').elements('an array of copies')) {
    const segment = copy.object('a copy, an object').field('segment').text("a directory's name");
    if (copies.has(segment)) throw copy.error('each copy once', `${JSON.stringify(segment)} again`);
    copies.set(segment, readCopy(copy));
  }
  return { node, copies, complete };
}

function readCopy(copy: JsonNode): MeasuredCopy | null {
  return copy.field('stored_bytes').nullable((storedBytes) => ({
    storedBytes: storedBytes.u64('a whole number of 0 or more, or null'),
    fenced: copy.field('fenced').boolean(),
    settled: copy.field('settled').nullable(readSettled),
  }));
}

function readSettled(settled: JsonNode): SettledMarker {
  settled.object('what a SETTLED marker says (an object), or null');
  return {
    endOffset: settled.field('end_offset').u64(),
    records: settled.field('records').u64(),
    byteSize: settled.field('byte_size').u64(),
  };
}

function readProblem(problem: JsonNode): InventoryProblem {
  problem.object('an error, an object');
  return {
    path: problem.field('path').text('a path'),
    code: problem.field('code').text("an error's code"),
    message: problem.field('message').text('a message'),
  };
}
