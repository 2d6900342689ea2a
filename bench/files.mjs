// Makes the files that are measured, and times the limit: one pass of zlib.crc32 in reads of 4 MiB.
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { encodeFrame } from '../dist/format/frame.js';

export const MIB = 1024 * 1024;

/** Runs `use` with a fresh directory that is gone afterwards. */
export function withDirectory(use) {
  const directory = mkdtempSync(join(tmpdir(), 'malachi-bench-'));
  try {
    return use(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Bytes without a pattern, the same ones on each run. */
export function noise(length, seed = 1) {
  const bytes = Buffer.alloc(length);
  let state = seed;
  for (let at = 0; at + 4 <= length; at += 4) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes.writeInt32LE(state, at);
  }
  return bytes;
}

/** Writes a file of about `size` bytes from pieces that `next` makes. */
export function writeFile(path, size, next) {
  const file = openSync(path, 'w');
  let written = 0;
  while (written < size) written += writeSync(file, next(written));
  closeSync(file);
}

/** Writes records with values of `valueBytes`, offsets from 0, until the file has `size` bytes. */
export function writeSegment(path, size, valueBytes) {
  const values = noise(MIB + valueBytes);
  let offset = 0n;
  writeFile(path, size, () => {
    const frames = [];
    for (let bytes = 0; bytes < MIB; bytes += valueBytes + 39) {
      const from = Number(offset % BigInt(MIB));
      frames.push(
        encodeFrame({
          offset: offset++,
          timestamp: 1_700_000_000_000n,
          key: null,
          value: values.subarray(from, from + valueBytes),
          headers: [],
        }),
      );
    }
    return Buffer.concat(frames);
  });
}

/** Measured runs of each side. */
export const RUNS = 7;

const window = Buffer.alloc(4 * MIB);

/** One pass of the platform's checksum over a file. */
export function limitPass(path) {
  const file = openSync(path, 'r');
  let checksum = 0;
  for (;;) {
    const read = readSync(file, window);
    if (read === 0) break;
    checksum = crc32(window.subarray(0, read), checksum);
  }
  closeSync(file);
  return checksum;
}

function elapsedMs(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function median(values) {
  return values.sort((a, b) => a - b)[values.length >> 1];
}

/** Medians of alternating runs in this process, after one run of each that warms caches and compilers. */
export function compare(first, second) {
  const times = { first: [], second: [] };
  for (let run = -1; run < RUNS; run++) {
    const firstMs = elapsedMs(first);
    const secondMs = elapsedMs(second);
    if (run < 0) continue;
    times.first.push(firstMs);
    times.second.push(secondMs);
  }
  return { firstMs: median(times.first), secondMs: median(times.second) };
}
