import { join } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { withFile } from '../disk/file-source.js';
import { requireUnused } from '../disk/in-use.js';
import { MalachiError } from '../errors.js';
import { parseCopyFileName } from '../format/names.js';
import { applyChanges } from './apply-changes.js';
import type { CopyPlace } from './copy-targets.js';
import { digestPadded } from './file-pieces.js';
import type { Manifest, ManifestFile } from './quarantine-manifest.js';
import { readManifest } from './quarantine-manifest.js';
import { readRecoveringNote, removeNotes } from './work-notes.js';

/**
 * Finishes a recovery of the copy that was cut short, as its quarantine entry says, so that one restore still
 * undoes it. Does nothing where there was none.
 *
 * @returns the entry of what was finished, else `null`.
 * @throws RefusedError while a process has a file open. @throws StorageError
 */
export function finishRecovery(
  disk: Disk,
  { directory }: CopyPlace,
  assumeUnused: boolean,
): string | null {
  const entry = readRecoveringNote(disk, directory);
  if (entry === null) return null;
  requireUnused(disk, [directory], assumeUnused);
  const manifest = manifestOf(disk, entry);
  const cut = manifest?.directory === directory ? findCut(manifest.files) : null;
  const isOnItsWay = cut !== null && isBegun(disk, directory, cut);
  if (isOnItsWay) {
    const { name, before, after } = cut;
    const sizes = { keepBytes: before.leftBytes, sizeBytes: after.bytes };
    applyChanges(disk, directory, [{ kind: 'cut', name, ...sizes }]);
  }
  removeNotes(disk, directory);
  return isOnItsWay ? entry : null;
}

/** An entry that was taken away meanwhile cannot be restored from: the file is then judged as it is. */
function manifestOf(disk: Disk, entry: string): Manifest | null {
  try {
    return readManifest(disk, entry);
  } catch (error) {
    if (error instanceof MalachiError) return null;
    throw error;
  }
}

type Cut = ManifestFile & {
  readonly before: NonNullable<ManifestFile['before']>;
  readonly after: NonNullable<ManifestFile['after']>;
};

function findCut(files: readonly ManifestFile[]): Cut | null {
  for (const { name, before, after } of files) {
    if (!before || !after || parseCopyFileName(name)?.kind !== 'log') continue;
    if (before.leftBytes < before.bytes || before.bytes < after.bytes)
      return { name, before, after };
  }
  return null;
}

/** Whether what stays of the file is there, and zeros behind it make it what the entry says. */
function isBegun(disk: Disk, directory: string, { name, before, after }: Cut): boolean {
  return withFile(
    disk,
    join(directory, name),
    (source) =>
      source.size >= before.leftBytes &&
      digestPadded(source, before.leftBytes, after.bytes) === after.sha256,
  );
}
