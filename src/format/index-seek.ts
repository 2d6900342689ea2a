import type { ByteSource } from './byte-source.js';
import { readBytes } from './byte-source.js';
import { FRAME_HEADER_BYTES, MIN_PAYLOAD_BYTES } from './frame.js';
import { readU32, startsWithMagic } from './frame-header.js';
import type { SidecarEntry } from './sidecar.js';
import { SIDECAR_ENTRY_BYTES, decodeSidecar } from './sidecar.js';

/*
 * A sidecar is a hint without a checksum. An entry that lies may point at a frame all the same: at one that
 * is part of a record's value. So no entry is taken at its word: from a place that is known, or from an
 * entry well before it, the chain of frames must land on it, with as many frames as its offset says.
 */

/** Below this position a file is read from its start: an index saves nothing there. */
const NEAR_BYTES = 512 * 1024;
/** Frames that are stepped over from the file's start to check an entry. */
const CHECKED_FRAMES = 16_384n;
/** Where more frames lie in front, the entries this far before it are checked with it. */
const CHECKED_BYTES = 256 * 1024;

/**
 * Where to start reading for the record with `target`: at a frame whose record comes before it, or is it.
 * 0 where the sidecar is of no help or cannot be believed. Reads a few hundred kilobytes at most.
 *
 * @param baseOffset offset of the file's first record.
 */
export function seekByIndex(
  source: ByteSource,
  sidecar: ByteSource,
  baseOffset: bigint,
  target: bigint,
): number {
  const at = lastEntryUpTo(sidecar, target);
  const entry = entryAt(sidecar, at);
  if (!entry || entry.offset < baseOffset || entry.position > BigInt(source.size)) return 0;
  if (entry.position <= BigInt(NEAR_BYTES)) return 0;
  const start = { offset: baseOffset, position: 0n };
  const isChecked =
    entry.offset - baseOffset <= CHECKED_FRAMES
      ? chainLandsOn(source, start, [entry])
      : entriesAgree(source, entriesBefore(sidecar, at, entry));
  return isChecked ? Number(entry.position) : 0;
}

/** Binary search; in a sidecar that is not in order any entry may come out. */
function lastEntryUpTo(sidecar: ByteSource, target: bigint): number {
  let low = 0;
  let high = Math.floor(sidecar.size / SIDECAR_ENTRY_BYTES);
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = entryAt(sidecar, middle);
    if (entry && entry.offset <= target) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function entryAt(sidecar: ByteSource, index: number): SidecarEntry | null {
  if (index < 0) return null;
  const bytes = readBytes(sidecar, index * SIDECAR_ENTRY_BYTES, SIDECAR_ENTRY_BYTES);
  return [...decodeSidecar(bytes)][0] ?? null;
}

const MOST_ENTRIES_BEFORE = 256;

/** The entries that lie at least `CHECKED_BYTES` before `last`, up to and with it; at least two if there are. */
function entriesBefore(sidecar: ByteSource, lastAt: number, last: SidecarEntry): SidecarEntry[] {
  const entries = [last];
  for (let at = lastAt - 1; at >= 0 && entries.length < MOST_ENTRIES_BEFORE; at--) {
    const entry = entryAt(sidecar, at);
    if (!entry) break;
    entries.unshift(entry);
    if (last.position - entry.position >= BigInt(CHECKED_BYTES)) break;
  }
  return entries;
}

function entriesAgree(source: ByteSource, entries: readonly SidecarEntry[]): boolean {
  const [first, ...rest] = entries;
  return first !== undefined && rest.length > 0 && chainLandsOn(source, first, rest);
}

/** Whether the frames from `from` on land on each of the entries, in order, at the offset it says. */
function chainLandsOn(
  source: ByteSource,
  from: SidecarEntry,
  entries: readonly SidecarEntry[],
): boolean {
  if (from.position < 0n || from.position > BigInt(source.size)) return false;
  let position = Number(from.position);
  let offset = from.offset;
  for (const entry of entries) {
    while (BigInt(position) < entry.position && offset < entry.offset) {
      const next = nextFrame(source, position, offset);
      if (next === null) return false;
      position = next;
      offset++;
    }
    if (BigInt(position) !== entry.position || offset !== entry.offset) return false;
  }
  return position < source.size && nextFrame(source, position, offset) !== null;
}

/** Where the frame at `position` ends, if it looks like one and carries this offset. */
function nextFrame(source: ByteSource, position: number, offset: bigint): number | null {
  const left = source.size - position;
  if (left < FRAME_HEADER_BYTES + MIN_PAYLOAD_BYTES) return null;
  const head = Buffer.from(readBytes(source, position, FRAME_HEADER_BYTES + 8).buffer);
  const length = readU32(head, 2);
  if (!startsWithMagic(head) || length < MIN_PAYLOAD_BYTES || length > left - FRAME_HEADER_BYTES) {
    return null;
  }
  if (head.readBigUInt64BE(FRAME_HEADER_BYTES) !== offset) return null;
  return position + FRAME_HEADER_BYTES + length;
}
