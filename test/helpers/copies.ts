import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { encodeFrame } from '../../src/format/frame.js';
import { fileStem } from '../../src/format/names.js';
import type { CopyToSeal } from '../../src/operations/look-at-copy.js';

/** One log file of a made-up copy. */
export interface FileSpec {
  readonly base: number;
  readonly records: number;
  /** What follows the records. */
  readonly tail?: Uint8Array;
  readonly sealed?: boolean;
  /** What its sidecar holds, if it has one. */
  readonly sidecar?: Uint8Array;
}

export interface CopySpec {
  readonly files: readonly FileSpec[];
  /** End and start that the control plane recorded; the start is that of the first file by default. */
  readonly end: number;
  readonly start?: number;
  /** Recorded size; by default that of the records from start to end. */
  readonly byteSize?: number;
  /** Other files in the copy's directory, by name. */
  readonly others?: Readonly<Record<string, string>>;
}

/** Every record has a length of its own, so that two of them are never taken for each other. */
export function frameOf(offset: number): Uint8Array {
  return encodeFrame({
    offset: BigInt(offset),
    timestamp: 1_700_000_000_001n,
    key: null,
    value: Buffer.alloc((offset % 7) + 1, `value ${offset} `),
    headers: [{ key: Buffer.from('h'), value: Buffer.from('x') }],
  });
}

/** The frames of the records from one offset up to another. */
export function frames(from: number, to: number): Buffer {
  return Buffer.concat(Array.from({ length: to - from }, (_, n) => frameOf(from + n)));
}

/** A frame that is there and is wrong, with a whole one behind it. */
export function rotAt(offset: number): Buffer {
  const bytes = Buffer.concat([frameOf(offset), frameOf(offset + 1)]);
  bytes[20] = (bytes[20] ?? 0) ^ 0xff;
  return bytes;
}

/** The front of a frame, up to a byte that is not zero: a write that did not finish. */
export function tornAt(offset: number): Buffer {
  return Buffer.from(frameOf(offset).subarray(0, 26));
}

/** A directory in memory where there is one, for tests that make the disk sync thousands of times. */
export function quickDirectory(): string {
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const path = mkdtempSync(join(parent, 'malachi-test-'));
  onTestFinished(() => {
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}

export interface MadeCopy extends CopyToSeal {
  readonly root: string;
}

export const SEGMENT = 'events-r0-s1';

/** Writes a copy into a log root `root/n1`. */
export function makeCopy(root: string, spec: CopySpec): MadeCopy {
  const logRoot = join(root, 'n1');
  const directory = join(logRoot, SEGMENT);
  mkdirSync(directory, { recursive: true });
  let storedBytes = 0;
  for (const { base, records, tail, sealed, sidecar } of spec.files) {
    const stem = join(directory, fileStem(BigInt(base)));
    const bytes = Buffer.concat([frames(base, base + records), tail ?? Buffer.alloc(0)]);
    writeFileSync(`${stem}.log`, bytes);
    if (sealed) writeFileSync(`${stem}.sealed`, '');
    if (sidecar) writeFileSync(`${stem}.idx`, sidecar);
    storedBytes += bytes.length;
  }
  for (const [name, text] of Object.entries(spec.others ?? {})) {
    writeFileSync(join(directory, name), text);
  }
  const start = spec.start ?? spec.files[0]?.base ?? 0;
  const byteSize = spec.byteSize ?? frames(start, Math.max(start, spec.end)).length;
  return {
    root,
    replica: 'malachi@n1',
    segment: SEGMENT,
    logRoot,
    directory,
    seal: { startOffset: BigInt(start), endOffset: BigInt(spec.end), byteSize: BigInt(byteSize) },
    plannedBytes: BigInt(storedBytes),
  };
}
