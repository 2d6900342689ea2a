import { compareSegmentNames } from '../control-plane/copy-key.js';
import type { SegmentRecord } from '../control-plane/segment-record.js';
import type { Snapshot } from '../control-plane/snapshot.js';
import { InvalidInputError } from '../errors.js';
import { parseSegmentName } from '../format/names.js';
import { unknownNodeText } from '../policy/overrun-plan.js';
import type { NodeListing } from './node-copies.js';

/**
 * What is wrong with the names of given nodes that no replica set has. Beside known ones such a node is one
 * that left the replica sets, whose copies are stray; or its name is a slip.
 *
 * @throws InvalidInputError if no replica set has any of them, so that nothing could be compared.
 */
export function checkNodeNames(names: readonly string[], snapshot: Snapshot): string[] {
  if (snapshot.nodes.size === 0) return [];
  const unknown = names.filter((name) => !snapshot.nodes.has(name));
  const texts = unknown.map((name) => unknownNodeText(snapshot, name));
  const [first] = texts;
  if (first !== undefined && unknown.length === names.length) throw new InvalidInputError(first);
  return texts;
}

/** Every segment that a node or the metadata knows, in the order of their ids. */
export function segmentNames(nodes: readonly NodeListing[], snapshot: Snapshot | null): string[] {
  const names = new Set(snapshot?.byName.keys());
  for (const { copies } of nodes) for (const name of copies.keys()) names.add(name);
  return [...names]
    .map((name) => ({ name, id: parseSegmentName(name) }))
    .sort(compareSegmentNames)
    .map(({ name }) => name);
}

/** The given nodes that are to have a copy, in the order given. */
export function expectedNodes(
  name: string,
  record: SegmentRecord | null,
  nodes: readonly NodeListing[],
  snapshot: Snapshot | null,
): NodeListing[] {
  if (record) {
    return nodes.filter(({ node }) => record.replicaSet.includes(node));
  }
  // Which replica set a foreign directory has cannot be told, so those that hold it are compared.
  const isUnknown = snapshot !== null && !isUnlisted(name, snapshot);
  return nodes.filter(({ copies }) => !isUnknown || copies.has(name));
}

/** Whether the metadata is known not to list it: a foreign name may be one of the foreign ids. */
export function isUnlisted(name: string, snapshot: Snapshot | null): boolean {
  if (!snapshot || snapshot.byName.has(name)) return false;
  return parseSegmentName(name) !== null || snapshot.foreign.length === 0;
}
