import { join } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { withFile } from '../disk/file-source.js';
import { MalachiError } from '../errors.js';
import type { FileChange } from '../policy/copy-change.js';
import type { EndangeredCopy } from './quarantine-entry.js';
import { digestOf, digestRange, writtenEnd } from './file-pieces.js';
import type { ManifestFile } from './quarantine-manifest.js';
import { readManifest } from './quarantine-manifest.js';

/**
 * Whether an entry, made by a run that was cut short, keeps all that these changes will take, and leads to
 * the same end: then going on needs no entry of its own, and one restore undoes both runs.
 */
export function entryCovers(disk: Disk, entry: string, copy: EndangeredCopy): boolean {
  try {
    const { directory, files } = readManifest(disk, entry);
    if (directory !== copy.directory) return false;
    const listed = new Map(files.map((file) => [file.name, file]));
    const changeOf = new Map(copy.changes.map((change) => [change.name, change]));
    const names = new Set([...changeOf.keys(), ...copy.present.map(({ name }) => name)]);
    return [...names].every((name) => {
      const file = listed.get(name);
      return file && coversFile(disk, entry, copy, file, changeOf.get(name) ?? null);
    });
  } catch (error) {
    if (error instanceof MalachiError) return false;
    throw error;
  }
}

function coversFile(
  disk: Disk,
  entry: string,
  copy: EndangeredCopy,
  { name, before, after }: ManifestFile,
  change: FileChange | null,
): boolean {
  const present = copy.present.find((file) => file.name === name);
  if (!change) return present?.sizeBytes === after?.bytes;
  if (!leadsTo(change, after)) return false;
  if (!present) return true;
  if (!before || present.sizeBytes !== before.bytes) return false;
  const { leftBytes, piece, blankBytes } = before;
  if (leftBytes !== (change.kind === 'cut' ? change.keepBytes : 0)) return false;
  const keptEnd = leftBytes + (piece?.bytes ?? 0);
  const isSame = withFile(disk, join(copy.directory, name), (source) => {
    if (writtenEnd(source, leftBytes) !== keptEnd || source.size !== keptEnd + blankBytes)
      return false;
    return piece === null || digestRange(source, leftBytes, keptEnd) === piece.sha256;
  });
  if (!isSame || piece === null) return isSame;
  return withFile(
    disk,
    join(entry, piece.file),
    (source) => source.size === piece.bytes && digestRange(source, 0, source.size) === piece.sha256,
  );
}

function leadsTo(change: FileChange, after: ManifestFile['after']): boolean {
  switch (change.kind) {
    case 'remove':
      return after === null;
    case 'cut':
      return after?.bytes === change.sizeBytes;
    case 'write':
      return after?.sha256 === digestOf(change.bytes);
  }
}
