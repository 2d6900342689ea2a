import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

/*
 * A second reading of segment files, from the description of the format alone, so that a test does not
 * take its expectations from what it tests. It reads files whole.
 */

export interface PlainFile {
  readonly base: string;
  readonly records: number;
  readonly valid: number;
  readonly damaged: boolean;
  readonly bytes: Buffer;
}

export function readPlainFile(path: string): PlainFile {
  const bytes = readFileSync(path);
  const stem = path.slice(0, -'.log'.length);
  const starts: number[] = [];
  let at = 0;
  while (isFrame(bytes, at)) {
    starts.push(at);
    at += 10 + bytes.readUInt32BE(at + 2);
  }
  const rest = bytes.subarray(at);
  const blank = rest.length >= 2 && rest.every((byte) => byte === 0);
  return {
    base: stem.slice(-20),
    records: starts.length,
    valid: at,
    damaged: (rest.length > 0 && !blank) || !indexHolds(`${stem}.idx`, bytes, starts),
    bytes,
  };
}

function isFrame(bytes: Buffer, at: number): boolean {
  if (bytes.length - at < 39 || bytes.readUInt16BE(at) !== 0x4d51) return false;
  const length = bytes.readUInt32BE(at + 2);
  if (length < 29 || bytes.length - at - 10 < length) return false;
  return crc32(bytes.subarray(at + 10, at + 10 + length)) === bytes.readUInt32BE(at + 6);
}

function indexHolds(path: string, log: Buffer, starts: readonly number[]): boolean {
  if (!existsSync(path)) return true;
  const index = readFileSync(path);
  if (index.length % 16 !== 0) return false;
  for (let at = 0; at < index.length; at += 16) {
    const position = Number(index.readBigUInt64BE(at + 8));
    if (!starts.includes(position)) return false;
    if (log.readBigUInt64BE(position + 10) !== index.readBigUInt64BE(at)) return false;
  }
  return true;
}

/** The files of a copy; `null` if it has no directory. */
export function readPlainCopy(directory: string): PlainFile[] | null {
  if (!existsSync(directory)) return null;
  return readdirSync(directory)
    .filter((name) => name.endsWith('.log'))
    .sort()
    .map((name) => readPlainFile(join(directory, name)));
}

export function recordDigest(files: readonly PlainFile[]): string {
  const hash = createHash('md5');
  for (const { bytes, valid } of files) hash.update(bytes.subarray(0, valid));
  return hash.digest('hex');
}

export function md5(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex');
}
