import { stringify } from 'lossless-json';
import { readSnapshot, type Snapshot } from '../../src/control-plane/snapshot.js';

export const NODES = ['malachi@n1', 'malachi@n2', 'malachi@n3'];

type Json = Record<string, unknown>;

/** A sealed segment as the dashboard answers it; `changes` replaces keys. */
export function sealedJson(seq: number | bigint | null, changes: Json = {}): Json {
  return {
    seq,
    state: 'sealed',
    start_offset: 0,
    length: 3,
    byte_size: 123,
    sealed_at: 1_700_000_000_000,
    primary: NODES[0],
    replica_set: NODES,
    ...changes,
  };
}

export function activeJson(seq: number, changes: Json = {}): Json {
  const active = { state: 'active', length: null, byte_size: null, sealed_at: null };
  return { ...sealedJson(seq), ...active, ...changes };
}

/** A `/topic` answer with one range, number 0. */
export function topicJson(name: string, segments: Json[], range: Json = {}): Json {
  return { name, ranges: [{ seq: 0, key_start: 0, key_end: 256, segments, ...range }] };
}

/** Text of a document; bigints keep all their digits. */
export function jsonText(value: unknown): string {
  return stringify(value) ?? '';
}

export function snapshotOf(...topics: Json[]): Snapshot {
  return readSnapshot([{ name: 'metadata.json', text: jsonText({ topics }) }]);
}
