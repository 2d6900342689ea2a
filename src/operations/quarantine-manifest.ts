import { basename, join, resolve } from 'node:path';
import { stringify } from 'lossless-json';
import { parseJson, type JsonNode } from '../control-plane/json-node.js';
import type { Disk } from '../disk/disk.js';
import { isMissing, isThere } from '../disk/durable.js';
import { readSmallFile } from '../disk/file-source.js';
import { isEntryName } from './quarantine-name.js';
import { InvalidInputError } from '../errors.js';
import { parseCopyFileName } from '../format/names.js';

export const MANIFEST_NAME = 'manifest.json';
const MANIFEST_SCHEMA = 'malachi.quarantine/1';
const MANIFEST_LIMIT_BYTES = 64 * 1024 * 1024;

/** Bytes that were kept in a file of the entry. */
export interface KeptPiece {
  /** Its name in the entry. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** One file of the copy, before and after the change; `null` where it was, or is, not there. */
export interface ManifestFile {
  readonly name: string;
  readonly before: {
    readonly bytes: number;
    /** Its first bytes that the change leaves in place. */
    readonly leftBytes: number;
    /** What followed them; `null` if that was nothing, or zeros alone. */
    readonly piece: KeptPiece | null;
    /** Zeros that followed, up to its end: recorded, not copied. */
    readonly blankBytes: number;
  } | null;
  readonly after: { readonly bytes: number; readonly sha256: string } | null;
}

/** What a quarantine entry says of itself. */
export interface Manifest {
  /** The command that made it. */
  readonly operation: string;
  /** UTC, as ISO 8601. */
  readonly createdAt: string;
  readonly node: string | null;
  readonly segment: string;
  readonly logRoot: string;
  /** The copy's directory, links resolved. */
  readonly directory: string;
  /** The copy's bytes, its log files one after the other, of which these were cut. */
  readonly fromByte: number;
  readonly toByte: number;
  /** Every file of the log that was there before or is there after. */
  readonly files: readonly ManifestFile[];
}

export function renderManifest(manifest: Manifest): string {
  const { files, ...head } = manifest;
  const document = {
    schema: MANIFEST_SCHEMA,
    operation: head.operation,
    created_at: head.createdAt,
    node: head.node,
    segment: head.segment,
    log_root: head.logRoot,
    directory: head.directory,
    from_byte: head.fromByte,
    to_byte: head.toByte,
    files: files.map(({ name, before, after }) => ({
      name,
      before: before && {
        bytes: before.bytes,
        left_bytes: before.leftBytes,
        piece: before.piece,
        blank_bytes: before.blankBytes,
      },
      after,
    })),
  };
  return `${stringify(document, null, 2) ?? ''}\n`;
}

/**
 * Reads the manifest of an entry.
 *
 * @throws InvalidInputError `EQUARANTINE` for a directory of entries; if there is none, or it is not one that this toolkit wrote.
 */
export function readManifest(disk: Disk, entry: string): Manifest {
  const path = join(entry, MANIFEST_NAME);
  let text: string;
  try {
    text = readSmallFile(disk, path, MANIFEST_LIMIT_BYTES).toString('utf8');
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw noManifest(disk, entry);
  }
  return parseManifest(path, text);
}

function noManifest(disk: Disk, entry: string): InvalidInputError {
  const expected = `${entry}: expected a quarantine entry, a directory with a ${MANIFEST_NAME}`;
  if (!isThere(disk, entry)) return new InvalidInputError(`${expected}, found nothing`, 'ENOENT');
  if (isEntryName(basename(resolve(entry)))) {
    const reason = 'a run was killed before it was whole, and nothing was cut for it';
    return new InvalidInputError(
      `${entry}: an entry without a ${MANIFEST_NAME}: ${reason}`,
      'EUNKEPT',
    );
  }
  const entries = countEntries(disk, entry);
  if (entries === 0) return new InvalidInputError(`${expected}, found none in it`, 'ENOENT');
  const found =
    entries === 1 ? 'a quarantine with 1 entry' : `a quarantine with ${entries} entries`;
  return new InvalidInputError(`${expected}, found ${found}`, 'EQUARANTINE');
}

function countEntries(disk: Disk, quarantine: string): number {
  if (disk.stat(quarantine).kind !== 'directory') return 0;
  const isEntry = (name: string): boolean => isThere(disk, join(quarantine, name, MANIFEST_NAME));
  return disk.readDirectory(quarantine).filter(({ name }) => isEntry(name)).length;
}

function parseManifest(path: string, text: string): Manifest {
  const root = parseJson(path, text).object('a manifest, an object');
  const schema = root.field('schema');
  if (schema.value !== MANIFEST_SCHEMA) throw schema.error(`"${MANIFEST_SCHEMA}"`);
  return {
    operation: root.field('operation').text('the name of a command'),
    createdAt: root.field('created_at').text('a time'),
    node: root.field('node').nullable((node) => node.text('the name of a node')),
    segment: root.field('segment').text("a segment's name"),
    logRoot: root.field('log_root').text('a path'),
    directory: root.field('directory').text('a path'),
    fromByte: size(root.field('from_byte')),
    toByte: size(root.field('to_byte')),
    files: [...root.field('files').elements('an array of files')].map(parseFile),
  };
}

function parseFile(file: JsonNode): ManifestFile {
  const name = file.object('a file, an object').field('name');
  if (!parseCopyFileName(name.text('a name'))) throw name.error('the name of a file of a log');
  return {
    name: name.text('a name'),
    before: file.field('before').nullable((before) => ({
      bytes: size(before.field('bytes')),
      leftBytes: size(before.field('left_bytes')),
      piece: before.field('piece').nullable(parsePiece),
      blankBytes: size(before.field('blank_bytes')),
    })),
    after: file.field('after').nullable((after) => ({
      bytes: size(after.field('bytes')),
      sha256: after.field('sha256').text('a checksum'),
    })),
  };
}

function parsePiece(piece: JsonNode): KeptPiece {
  const file = piece.field('file');
  if (file.text('a name').includes('/')) throw file.error('the name of a file in the entry');
  return {
    file: file.text('a name'),
    bytes: size(piece.field('bytes')),
    sha256: piece.field('sha256').text('a checksum'),
  };
}

function size(node: JsonNode): number {
  const bytes = Number(node.u64('a number of bytes'));
  if (!Number.isSafeInteger(bytes)) throw node.error('a number of bytes');
  return bytes;
}

/** An entry and what it says of itself. */
export interface FoundEntry {
  readonly entry: string;
  readonly manifest: Manifest;
}

/** The order in which several entries of one copy can be put back. */
export function latestFirst(a: FoundEntry, b: FoundEntry): number {
  const [first, second] = [a.manifest.createdAt, b.manifest.createdAt];
  if (first !== second) return first < second ? 1 : -1;
  return a.entry < b.entry ? 1 : a.entry > b.entry ? -1 : 0;
}
