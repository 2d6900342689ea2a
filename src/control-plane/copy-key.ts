import { InvalidInputError } from '../errors.js';
import { parseSegmentName, segmentName, type SegmentId } from '../format/names.js';
import { compareUtf8 } from './utf8-order.js';

/** Names one replica's copy of one segment; written `SEGMENT/NODE`, as in `events-r0-s3/malachi@n1`. */
export interface CopyKey {
  readonly segment: SegmentId;
  /** The node that holds the copy. */
  readonly replica: string;
}

/** By the topic's bytes, then range and segment as numbers: s2 comes before s10. */
export function compareSegmentIds(a: SegmentId, b: SegmentId): number {
  return (
    compareUtf8(a.topic, b.topic) ||
    compareNumbers(a.range, b.range) ||
    compareNumbers(a.segment, b.segment)
  );
}

/** By the segment, then by the replica's bytes. */
export function compareCopyKeys(a: CopyKey, b: CopyKey): number {
  const bySegment = a.segment === b.segment ? 0 : compareSegmentIds(a.segment, b.segment);
  return bySegment || compareUtf8(a.replica, b.replica);
}

/**
 * Orders segment names, foreign ones too: the parsed ids by `compareSegmentIds`, then every name that is
 * none, by its bytes.
 */
export function compareSegmentNames(a: NamedSegment, b: NamedSegment): number {
  if (a.id && b.id) return compareSegmentIds(a.id, b.id);
  if (a.id) return -1;
  return b.id ? 1 : compareUtf8(a.name, b.name);
}

/** A name, with the id that it says; `null` for a foreign one. */
export interface NamedSegment {
  readonly name: string;
  readonly id: SegmentId | null;
}

export function renderCopyKey(key: CopyKey): string {
  return `${segmentName(key.segment)}/${key.replica}`;
}

/**
 * Parses `SEGMENT/NODE`. A node's name holds no slash, and neither does a segment's, so there is one only.
 *
 * @param origin what the key was given as, such as `--after`, for the message.
 * @throws {InvalidInputError} if it is no such key.
 */
export function parseCopyKey(text: string, origin: string): CopyKey {
  const slash = text.indexOf('/');
  const segment = slash < 0 ? null : parseSegmentName(text.slice(0, slash));
  const replica = text.slice(slash + 1);
  if (!segment || !isNodeName(replica)) {
    throw new InvalidInputError(
      `${origin}: expected SEGMENT/NODE, such as events-r0-s3/malachi@n1, found ${JSON.stringify(text)}`,
    );
  }
  return { segment, replica };
}

/** Whether a node's name can stand in a copy's key. */
export function isNodeName(name: string): boolean {
  return name !== '' && !name.includes('/');
}

function compareNumbers(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
