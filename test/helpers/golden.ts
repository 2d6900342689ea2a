import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'lossless-json';
import { parseLogName } from '../../src/format/names.js';

export const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url));
export const goldenRoot = join(fixtures, 'golden');

/** What the system's recovery answered for a case, with the field names of its own report. */
export interface ExpectedRecovery {
  prealloc_bytes: number;
  records: number;
  valid_bytes: number;
  next_offset: bigint;
  file_bytes: number;
  halt: string;
  classification: string;
  action: string;
  sealed: boolean;
  trailing_bytes: number;
  written_bytes: number;
  blank_tail_bytes: number;
  zeros_start_inside_frame: boolean;
  zeros_reach_the_end: boolean;
  integrity: {
    reason: string;
    position: number;
    unreadable_bytes: number;
    sealed: boolean;
  } | null;
  index_entries: number;
  after_bytes: number;
  after_sha256: string;
}

export interface Expected {
  base_offset: bigint;
  index_interval: number;
  recover: ExpectedRecovery;
  recover_preallocated: ExpectedRecovery;
  verify: {
    ok: boolean;
    records?: number;
    bytes?: number;
    reason?: string;
    position?: number;
    unreadable_bytes?: number;
    file?: string;
    detail?: string | null;
  };
  rebuilt_index_hex: string;
  beyond: {
    frames: number;
    bytes: number;
    first_position: number | null;
    first_offset: bigint | null;
    last_offset: bigint | null;
  };
}

export interface GoldenCase {
  readonly name: string;
  readonly directory: string;
  readonly logPath: string;
  readonly baseOffset: bigint;
  readonly sealed: boolean;
  readonly expected: Expected;
}

const OFFSETS = new Set(['base_offset', 'next_offset', 'first_offset', 'last_offset']);

/** Parses with every integer as a bigint where it names an offset, and as a number elsewhere. */
function parseExpected(text: string): Expected {
  return parse(
    text,
    (key, value) => (typeof value === 'bigint' && !OFFSETS.has(key) ? Number(value) : value),
    (digits) => BigInt(digits),
  ) as Expected;
}

export const goldenCases: GoldenCase[] = readdirSync(goldenRoot, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => {
    const directory = join(goldenRoot, name);
    const files = readdirSync(directory);
    const log = files.find((file) => file.endsWith('.log')) ?? '';
    return {
      name,
      directory,
      logPath: join(directory, log),
      baseOffset: parseLogName(log) ?? -1n,
      sealed: files.includes(log.replace(/\.log$/, '.sealed')),
      expected: parseExpected(readFileSync(join(directory, 'expected.json'), 'utf8')),
    };
  });
