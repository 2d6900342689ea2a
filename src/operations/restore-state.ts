import { join } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { withFile } from '../disk/file-source.js';
import { RefusedError } from '../errors.js';
import type { ByteSource } from '../format/byte-source.js';
import { isAllZero } from '../format/byte-source.js';
import type { PresentFile } from './copy-directory.js';
import { digestPadded, digestRange, readPieces, writtenEnd } from './file-pieces.js';
import type { Manifest, ManifestFile } from './quarantine-manifest.js';

/**
 * How a file of the copy stands against the manifest: as the cut left it, on its way back (a restore, or the
 * cut itself, was cut short), as it was, or as it was all the time.
 */
export type FileState = 'as_left' | 'between' | 'as_it_was' | 'unchanged';

/** @throws RefusedError `EPIECE` if a piece of the entry is missing or is not what the manifest says. */
export function requireWholeEntry(disk: Disk, entry: string, manifest: Manifest): void {
  for (const { before } of manifest.files) {
    const piece = before?.piece;
    if (!piece) continue;
    const path = join(entry, piece.file);
    const isWhole = withFile(
      disk,
      path,
      (source) =>
        source.size === piece.bytes && digestRange(source, 0, source.size) === piece.sha256,
    );
    if (isWhole) continue;
    throw new RefusedError(
      'EPIECE',
      `${path}: refused, expected ${piece.bytes} bytes with the SHA-256 that the manifest says, found others`,
    );
  }
}

/**
 * Holds the copy against the manifest.
 *
 * @param present the copy's files now.
 * @param begun a run on this entry was cut short here, so that some files may be on their way.
 * @throws RefusedError `EOUTDATED` if the copy is neither as the cut left it, nor as it was, nor on its way.
 */
export function fileStates(
  disk: Disk,
  entry: string,
  manifest: Manifest,
  present: readonly PresentFile[],
  begun: boolean,
): Map<ManifestFile, FileState> {
  const listed = new Set(manifest.files.map(({ name }) => name));
  const stranger = present.find(({ name }) => !listed.has(name));
  if (stranger) throw changed(manifest, `${stranger.name} has come since`);
  const there = new Map(present.map((file) => [file.name, file]));
  const states = new Map<ManifestFile, FileState>();
  for (const file of manifest.files) {
    const state = stateOf(disk, entry, manifest, file, there.get(file.name) ?? null);
    if (state === null) throw changed(manifest, `${file.name} is not as the cut left it`);
    states.set(file, state);
  }
  const isMixed = !begun && !isAll(states, 'as_left') && !isAll(states, 'as_it_was');
  if (isMixed) throw changed(manifest, 'some of its files are as they were before the cut');
  return states;
}

/** A file that the cut did not change is in both states. */
function isAll(states: ReadonlyMap<ManifestFile, FileState>, wanted: FileState): boolean {
  return [...states.values()].every((state) => state === wanted || state === 'unchanged');
}

function stateOf(
  disk: Disk,
  entry: string,
  { directory }: Manifest,
  file: ManifestFile,
  present: PresentFile | null,
): FileState | null {
  const { before, after } = file;
  if (!present) return before === null ? 'as_it_was' : after === null ? 'as_left' : null;
  return withFile(disk, join(directory, file.name), (source) => {
    const kept = before ? new KeptBytes(disk, entry, before) : null;
    if (before && source.size === before.bytes && isPrefixLeft(source, file)) {
      if (kept?.match(source, false) === true) return isUnchanged(file) ? 'unchanged' : 'as_it_was';
    }
    if (!after) return null;
    if (source.size === after.bytes && digestRange(source, 0, source.size) === after.sha256) {
      return 'as_left';
    }
    if (present.kind === 'log' && isLessBlank(source, file)) return 'as_left';
    const isOnItsWay =
      before !== null &&
      before.leftBytes <= source.size &&
      source.size <= Math.max(before.bytes, after.bytes) &&
      present.kind === 'log' &&
      isPrefixLeft(source, file) &&
      kept?.match(source, true) === true;
    return isOnItsWay ? 'between' : null;
  });
}

/** A cut to a preallocated size that was cut short before the zeros were there, which hold nothing. */
function isLessBlank(source: ByteSource, file: ManifestFile): boolean {
  const leftBytes = file.before?.leftBytes ?? 0;
  const afterBytes = file.after?.bytes ?? 0;
  return (
    leftBytes <= source.size &&
    source.size < afterBytes &&
    digestPadded(source, leftBytes, afterBytes) === file.after?.sha256 &&
    writtenEnd(source, leftBytes) === leftBytes
  );
}

function isUnchanged({ before, after }: ManifestFile): boolean {
  return before?.leftBytes === before?.bytes && before?.bytes === after?.bytes;
}

/** Whether the bytes that the cut left in place are still those. */
function isPrefixLeft(source: ByteSource, { before, after }: ManifestFile): boolean {
  const leftBytes = before?.leftBytes ?? 0;
  if (leftBytes === 0) return true;
  return after !== null && digestPadded(source, leftBytes, after.bytes) === after.sha256;
}

/** What followed the bytes that were left in place: the piece, then zeros. */
class KeptBytes {
  readonly #disk: Disk;
  readonly #entry: string;
  readonly #before: NonNullable<ManifestFile['before']>;

  constructor(disk: Disk, entry: string, before: NonNullable<ManifestFile['before']>) {
    this.#disk = disk;
    this.#entry = entry;
    this.#before = before;
  }

  /**
   * Whether the file has these bytes, as far as it reaches.
   *
   * @param orZero a byte that was not written back yet, and is zero, will do.
   */
  match(source: ByteSource, orZero: boolean): boolean {
    const { leftBytes, piece } = this.#before;
    const pieceEnd = leftBytes + (piece?.bytes ?? 0);
    const end = Math.min(source.size, pieceEnd);
    for (const bytes of readPieces(source, pieceEnd, source.size)) {
      if (!isAllZero(bytes)) return false;
    }
    if (!piece || end <= leftBytes) return true;
    return withFile(this.#disk, join(this.#entry, piece.file), (kept) => {
      let at = 0;
      for (const bytes of readPieces(source, leftBytes, end)) {
        const wanted = new Uint8Array(bytes.length);
        kept.readInto(wanted, at);
        const isSame = bytes.every((byte, n) => byte === wanted[n] || (orZero && byte === 0));
        if (!isSame) return false;
        at += bytes.length;
      }
      return true;
    });
  }
}

function changed({ directory }: Manifest, what: string): RefusedError {
  return new RefusedError(
    'EOUTDATED',
    `${directory}: refused, the copy was changed since the cut: ${what}`,
  );
}
