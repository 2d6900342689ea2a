import { isTopicName, segmentName } from '../format/names.js';
import { isNodeName } from './copy-key.js';
import { MAX_U64, type JsonNode } from './json-node.js';
import type { ForeignSegment, SegmentRecord } from './segment-record.js';

/** A segment with the place it was read from. */
export interface PlacedSegment {
  readonly record: SegmentRecord;
  readonly node: JsonNode;
}

export interface TopicAnswers {
  readonly segments: PlacedSegment[];
  readonly foreign: ForeignSegment[];
}

/** Reads one `/topic` answer, an array of them, or an object with `topics`. */
export function readTopics(root: JsonNode): TopicAnswers {
  const answers: TopicAnswers = { segments: [], foreign: [] };
  const isList = root.isArray() || root.has('topics');
  if (isList) {
    const list = root.isArray() ? root : root.field('topics');
    for (const topic of list.elements('an array of /topic answers')) readTopic(topic, answers);
  } else if (root.has('ranges')) {
    readTopic(root, answers);
  } else {
    throw root.error(
      'a /topic answer (an object with "name" and "ranges"), an array of them, or {"topics": […]}',
    );
  }
  return answers;
}

function readTopic(node: JsonNode, answers: TopicAnswers): void {
  const topic = node
    .object('a /topic answer, an object with "name" and "ranges"')
    .field('name')
    .text("the topic's name");
  const seen = new Set<string>();
  for (const range of node.field('ranges').elements('an array of ranges')) {
    const rangeSeq = readSeq(range.object('a range, an object'));
    for (const segment of range.field('segments').elements('an array of segments')) {
      readSegment(segment, { topic, rangeSeq, seen, answers });
    }
  }
}

interface Surroundings {
  readonly topic: string;
  readonly rangeSeq: bigint | null;
  /** The labels of the segments of this answer so far. */
  readonly seen: Set<string>;
  readonly answers: TopicAnswers;
}

function readSegment(node: JsonNode, { topic, rangeSeq, seen, answers }: Surroundings): void {
  const seq = readSeq(node.object('a segment, an object'));
  const replicaSet = readReplicaSet(node);
  const primary = readPrimary(node, replicaSet);
  const facts = { startOffset: node.field('start_offset').u64(), primary, replicaSet };
  const seal = readSeal(node, facts.startOffset);
  if (rangeSeq === null || seq === null) {
    answers.foreign.push({ label: `${topic}-r${rangeSeq ?? '?'}-s${seq ?? '?'}`, replicaSet });
    return;
  }
  const id = { topic, range: rangeSeq, segment: seq };
  const name = segmentName(id);
  if (seen.has(name)) throw node.error('each segment once', `${JSON.stringify(name)} again`);
  seen.add(name);
  if (!isTopicName(topic)) {
    answers.foreign.push({ label: name, replicaSet });
    return;
  }
  answers.segments.push({ record: { ...id, name, ...facts, ...seal }, node });
}

/** The number of a range or a segment; `null` for a foreign id. */
function readSeq(node: JsonNode): bigint | null {
  return ofCurrentRelease(node, 'seq').nullable((seq) => seq.u64('a whole number or null'));
}

type Seal =
  | { readonly state: 'active' }
  | { readonly state: 'sealed'; readonly length: bigint; readonly byteSize: bigint };

function readSeal(node: JsonNode, startOffset: bigint): Seal {
  const stateNode = node.field('state');
  const lengthNode = node.field('length');
  const byteSizeNode = node.field('byte_size');
  if (stateNode.value === 'active') {
    for (const field of [lengthNode, byteSizeNode]) {
      if (field.value !== null && field.value !== undefined) {
        throw field.error('null for an active segment');
      }
    }
    return { state: 'active' };
  }
  if (stateNode.value !== 'sealed') throw stateNode.error('"sealed" or "active"');
  const expected = 'a whole number of 0 or more for a sealed segment';
  const length = lengthNode.u64(expected);
  const byteSize = byteSizeNode.u64(expected);
  if (startOffset + length > MAX_U64) {
    throw lengthNode.error(`start_offset + length of at most ${MAX_U64}`);
  }
  return { state: 'sealed', length, byteSize };
}

function readReplicaSet(node: JsonNode): readonly string[] {
  const list = ofCurrentRelease(node, 'replica_set');
  const replicas = new Set<string>();
  for (const element of list.elements('an array of node names')) {
    const expected = 'the name of a node, without a slash';
    const replica = element.text(expected);
    if (!isNodeName(replica)) throw element.error(expected);
    if (replicas.has(replica))
      throw element.error('each replica once', `${JSON.stringify(replica)} again`);
    replicas.add(replica);
  }
  if (replicas.size === 0) throw list.error('at least one replica');
  return [...replicas];
}

function readPrimary(node: JsonNode, [first = '']: readonly string[]): string {
  const primary = node.field('primary');
  if (primary.value !== first) {
    throw primary.error(`${JSON.stringify(first)}, the first of the replica set`);
  }
  return first;
}

function ofCurrentRelease(node: JsonNode, name: string): JsonNode {
  if (!node.has(name)) {
    throw node.error(
      `a "${name}"`,
      'none: an answer of a release too old for this; upgrade the node and ask it again',
    );
  }
  return node.field(name);
}
