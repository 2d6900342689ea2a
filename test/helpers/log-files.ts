import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeFrame } from '../../src/format/frame.js';
import type { SegmentRecord } from '../../src/format/frame.js';

export const TIMESTAMP = 1_700_000_000_000n;

export function recordAt(
  offset: bigint | number,
  value: string | Uint8Array = 'value',
): SegmentRecord {
  return {
    offset: BigInt(offset),
    timestamp: TIMESTAMP,
    key: null,
    value: Buffer.from(value),
    headers: [],
  };
}

export function frameAt(offset: bigint | number, value: string | Uint8Array = 'value'): Uint8Array {
  return encodeFrame(recordAt(offset, value));
}

/** Frames of the offsets from `first` up to `end`. */
export function framesOf(first: number, end: number, value?: string | Uint8Array): Buffer {
  const offsets = Array.from({ length: end - first }, (_, n) => first + n);
  return Buffer.concat(offsets.map((offset) => frameAt(offset, value)));
}

export function logName(baseOffset: bigint | number, suffix = '.log'): string {
  return baseOffset.toString().padStart(20, '0') + suffix;
}

/** Writes a file of a log, and makes the directories above it. @returns its path. */
export function writeLog(directory: string, baseOffset: number, bytes: Uint8Array): string {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, logName(baseOffset));
  writeFileSync(path, bytes);
  return path;
}

export interface FrameIndexEntry {
  readonly offset: bigint;
  readonly position: bigint;
}

export function encodeIndex(entries: readonly FrameIndexEntry[]): Buffer {
  const bytes = Buffer.alloc(entries.length * 16);
  entries.forEach(({ offset, position }, n) => {
    bytes.writeBigUInt64BE(offset, n * 16);
    bytes.writeBigUInt64BE(position, n * 16 + 8);
  });
  return bytes;
}

/** Everything in a tree: bytes, sizes and times, to show that it was left alone. */
export function snapshotTree(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(root, name);
      const { mtimeNs, ctimeNs, size } = statSync(path, { bigint: true });
      const isFile = statSync(path).isFile();
      const content = isFile ? readFileSync(path).toString('base64') : 'directory';
      return `${name} ${size} ${mtimeNs} ${ctimeNs} ${content}`;
    });
}
