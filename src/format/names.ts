/*
 * What stands where in a log root:
 *
 *   malachi.format, malachi.cluster, malachi.incarnation
 *   shard_<n>/                      only with several data shards
 *   <topic>-r<range>-s<segment>/    one replica's copy of one segment
 *     <20 digits>.log .idx .sealed
 *     SEALED
 */
export const FENCE_MARKER = 'SEALED';
/** Left by the toolkit in a copy whose records were found to be the seal's. */
export const SETTLED_MARKER = 'SETTLED';
/** In a copy while the toolkit changes it, so that a run that was cut short is finished by the next one. */
export const SETTLING_MARKER = 'SETTLING';
/** The same for a restore; its text is the path of the quarantine entry. */
export const RESTORING_MARKER = 'RESTORING';
/** Left by the toolkit in a copy whose last file it was recovering when it was cut short. */
export const RECOVERING_MARKER = 'RECOVERING';
export const FORMAT_MARKER = 'malachi.format';

export const LOG_SUFFIX = '.log';
export const SIDECAR_SUFFIX = '.idx';
export const SEALED_SUFFIX = '.sealed';

const BASE_OFFSET_DIGITS = 20;
const MAX_U64 = 0xffff_ffff_ffff_ffffn;

/** Name of a log's file, without suffix, by its first offset. */
export function fileStem(baseOffset: bigint): string {
  return baseOffset.toString().padStart(BASE_OFFSET_DIGITS, '0');
}

/** First offset of the log file with this name; `null` if it is no such name. */
export function parseLogName(name: string): bigint | null {
  if (!/^\d{20}\.log$/.test(name)) return null;
  const offset = BigInt(name.slice(0, BASE_OFFSET_DIGITS));
  return offset <= MAX_U64 ? offset : null;
}

export type CopyFileKind = 'log' | 'sidecar' | 'sealed' | 'fence' | 'settled';

/** What a name in a copy's directory stands for; `null` for a name that the log does not use. */
export interface CopyFileName {
  readonly kind: CopyFileKind;
  /** First offset of the log file that it is, or belongs to; `null` for the markers of a whole log. */
  readonly baseOffset: bigint | null;
}

const KIND_OF_SUFFIX: Readonly<Record<string, CopyFileKind>> = {
  [LOG_SUFFIX]: 'log',
  [SIDECAR_SUFFIX]: 'sidecar',
  [SEALED_SUFFIX]: 'sealed',
};

export function parseCopyFileName(name: string): CopyFileName | null {
  if (name === FENCE_MARKER) return { kind: 'fence', baseOffset: null };
  if (name === SETTLED_MARKER) return { kind: 'settled', baseOffset: null };
  const suffix = name.slice(BASE_OFFSET_DIGITS);
  const kind = Object.hasOwn(KIND_OF_SUFFIX, suffix) ? KIND_OF_SUFFIX[suffix] : undefined;
  const baseOffset = parseLogName(name.slice(0, BASE_OFFSET_DIGITS) + LOG_SUFFIX);
  return kind === undefined || baseOffset === null ? null : { kind, baseOffset };
}

export function isShardName(name: string): boolean {
  return /^shard_\d+$/.test(name);
}

/** A segment as the control plane names it, `{{topic, range_seq}, segment_seq}`. */
export interface SegmentId {
  readonly topic: string;
  readonly range: bigint;
  readonly segment: bigint;
}

/**
 * Parses a segment's directory name `<topic>-r<range>-s<segment>` from the right, for a topic may hold
 * such a suffix itself. `null` for any other name; foreign ids (Base64 of an Erlang term) stay opaque.
 */
export function parseSegmentName(name: string): SegmentId | null {
  const match = /^([A-Za-z0-9._-]+)-r(0|[1-9]\d*)-s(0|[1-9]\d*)$/.exec(name);
  if (!match) return null;
  const [, topic = '', range = '', segment = ''] = match;
  if (!isTopicName(topic)) return null;
  return { topic, range: BigInt(range), segment: BigInt(segment) };
}

export function segmentName(id: SegmentId): string {
  return `${id.topic}-r${id.range}-s${id.segment}`;
}

/** Whether a topic's name can stand in a directory name as it is. */
export function isTopicName(topic: string): boolean {
  return /^[A-Za-z0-9._-]+$/.test(topic) && topic !== '.' && topic !== '..';
}

/** Whether a name can be the unpadded URL-safe Base64 of an Erlang external term (which starts with 131). */
export function isForeignName(name: string): boolean {
  if (!/^[A-Za-z0-9_-]+$/.test(name) || name.length % 4 === 1) return false;
  return Buffer.from(name, 'base64url')[0] === 131;
}
