import { InvalidInputError } from '../errors.js';
import { compareSegmentIds } from './copy-key.js';
import { parseJson } from './json-node.js';
import { refuseOverlaps } from './offset-ranges.js';
import type { ForeignSegment, SegmentRecord } from './segment-record.js';
import { readTopics, type PlacedSegment } from './topic-answer.js';

/** What the control plane says of its segments. */
export interface Snapshot {
  /** In the order of their ids. */
  readonly segments: readonly SegmentRecord[];
  readonly byName: ReadonlyMap<string, SegmentRecord>;
  readonly foreign: readonly ForeignSegment[];
  /** Every node that some replica set names. */
  readonly nodes: ReadonlySet<string>;
}

export interface SourceText {
  /** The file's name, for messages. */
  readonly name: string;
  readonly text: string;
}

/**
 * Reads a metadata snapshot from dashboard `/topic` answers. Each text is one answer, an array of them, or
 * `{"topics": […]}`. A segment that several answers list alike is there once. Unknown keys are ignored.
 *
 * @throws {InvalidInputError} naming the JSON pointer, what was expected and what was found.
 */
export function readSnapshot(sources: readonly SourceText[]): Snapshot {
  const placed = new Map<string, PlacedSegment>();
  const foreign = new Map<string, ForeignSegment>();
  const nodes = new Set<string>();
  for (const { name, text } of sources) {
    const found = readTopics(parseJson(name, text));
    for (const segment of found.foreign) {
      foreign.set(segment.label, segment);
      for (const node of segment.replicaSet) nodes.add(node);
    }
    for (const segment of found.segments) {
      merge(placed, segment);
      for (const node of segment.record.replicaSet) nodes.add(node);
    }
  }
  const all = [...placed.values()];
  refuseOverlaps(all);
  const segments = all.map(({ record }) => record).sort(compareSegmentIds);
  return {
    segments,
    byName: new Map(segments.map((segment) => [segment.name, segment])),
    foreign: [...foreign.values()],
    nodes,
  };
}

function merge(placed: Map<string, PlacedSegment>, segment: PlacedSegment): void {
  const { name } = segment.record;
  const known = placed.get(name);
  if (!known) {
    placed.set(name, segment);
  } else if (!isSame(known.record, segment.record)) {
    throw new InvalidInputError(
      `${segment.node.place}: expected one answer for ${name}, found another than at ${known.node.place}`,
    );
  }
}

function isSame(a: SegmentRecord, b: SegmentRecord): boolean {
  if (a.startOffset !== b.startOffset || a.replicaSet.join('/') !== b.replicaSet.join('/')) {
    return false;
  }
  if (a.state === 'active' || b.state === 'active') return a.state === b.state;
  return a.length === b.length && a.byteSize === b.byteSize;
}
