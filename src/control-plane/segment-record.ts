import type { SegmentId } from '../format/names.js';

interface SegmentFacts extends SegmentId {
  /** The name of its directories, `<topic>-r<range>-s<segment>`. */
  readonly name: string;
  readonly startOffset: bigint;
  /** The first of the replica set. */
  readonly primary: string;
  /** The nodes that hold a copy, in the control plane's order; never empty, none twice. */
  readonly replicaSet: readonly string[];
}

export interface SealedSegment extends SegmentFacts {
  readonly state: 'sealed';
  /** Records. `startOffset + length` fits 64 bits. */
  readonly length: bigint;
  /** Bytes of those records' frames. */
  readonly byteSize: bigint;
}

export interface ActiveSegment extends SegmentFacts {
  readonly state: 'active';
}

export type SegmentRecord = SealedSegment | ActiveSegment;

/** A segment whose directory the toolkit cannot name: its topic is not path-safe, or a `seq` is null. */
export interface ForeignSegment {
  /** For people; it names no directory. An unknown number is written `?`. */
  readonly label: string;
  readonly replicaSet: readonly string[];
}

/** The end of a sealed segment: the offset just past its last record. */
export function endOffset(segment: SealedSegment): bigint {
  return segment.startOffset + segment.length;
}
