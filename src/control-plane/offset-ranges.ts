import { compareUtf8 } from './utf8-order.js';
import type { SegmentRecord } from './segment-record.js';
import type { PlacedSegment } from './topic-answer.js';

/**
 * Refuses two segments of one range that claim an offset both: the one would answer a read of the other's
 * records. An active segment reaches on without end; one of length 0 claims nothing.
 *
 * @throws {InvalidInputError} at the later one's start offset.
 */
export function refuseOverlaps(segments: readonly PlacedSegment[]): void {
  const ordered = segments.filter(({ record }) => !isEmpty(record)).sort(compareStarts);
  let previous: PlacedSegment | null = null;
  for (const next of ordered) {
    if (previous && isSameRange(previous.record, next.record)) refuseOverlap(previous, next);
    previous = next;
  }
}

function refuseOverlap({ record: previous }: PlacedSegment, next: PlacedSegment): void {
  const start = next.node.field('start_offset');
  if (previous.state === 'active') {
    throw start.error(
      `an offset below ${previous.startOffset}, from where ${previous.name} is active`,
    );
  }
  const end = previous.startOffset + previous.length;
  if (next.record.startOffset < end) {
    throw start.error(`an offset of at least ${end}, where ${previous.name} ends`);
  }
}

function isEmpty(segment: SegmentRecord): boolean {
  return segment.state === 'sealed' && segment.length === 0n;
}

function isSameRange(a: SegmentRecord, b: SegmentRecord): boolean {
  return a.topic === b.topic && a.range === b.range;
}

function compareStarts({ record: a }: PlacedSegment, { record: b }: PlacedSegment): number {
  const byTopic = compareUtf8(a.topic, b.topic);
  if (byTopic !== 0) return byTopic;
  if (a.range !== b.range) return a.range < b.range ? -1 : 1;
  if (a.startOffset !== b.startOffset) return a.startOffset < b.startOffset ? -1 : 1;
  return 0;
}
