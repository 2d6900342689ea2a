import type { Disk } from '../disk/disk.js';
import { lockLogRoot } from '../disk/lock.js';
import { breathe } from './breathe.js';
import { checkFormat } from './log-root.js';
import type { Problem } from './problem.js';
import { orProblem } from './problem.js';
import { totalBytes, withProgress, type Progress } from './progress.js';
import type { FoundEntry, Manifest } from './quarantine-manifest.js';
import { latestFirst, readManifest } from './quarantine-manifest.js';
import type { Restoration, RestoreOptions } from './restore.js';
import { restoreEntry } from './restore.js';
import { restoredView } from './restored-view.js';

export interface RestoreAnswer {
  readonly applied: boolean;
  readonly results: readonly Restoration[];
  /** Given entries that a run was killed in front of: nothing was cut for them. */
  readonly unfinished: readonly string[];
  /** Entries that could not be restored. */
  readonly errors: readonly Problem[];
}

export interface RestoreEntriesOptions extends RestoreOptions {
  /** Also work on log roots whose `malachi.format` is not understood. */
  readonly ignoreFormat?: boolean;
  readonly progress?: Progress | undefined;
}

/**
 * Puts copies back from their quarantine entries, the latest entry first, so that several cuts of one copy
 * are undone in turn; a dry run tells what that comes to. An entry that cannot be restored is among the errors and
 * stops no other.
 */
export async function restoreEntries(
  disk: Disk,
  entries: readonly string[],
  options: RestoreEntriesOptions,
): Promise<RestoreAnswer> {
  const results: Restoration[] = [];
  let errors: Problem[] = [];
  const found: FoundEntry[] = [];
  for (const entry of entries) {
    const manifest = orProblem(entry, errors, () => readManifest(disk, entry));
    if (manifest) found.push({ entry, manifest });
  }
  // `DIR/*` names them too; where nothing else was named, it is more likely a slip.
  const isUnfinished = ({ code }: Problem): boolean => found.length > 0 && code === 'EUNKEPT';
  const unfinished = errors.filter(isUnfinished).map(({ path }) => path);
  errors = errors.filter((problem) => !isUnfinished(problem));
  found.sort(latestFirst);
  const views = new Map<string, Disk>();
  const inTurn = ({ entry, manifest }: FoundEntry): void => {
    const { directory } = manifest;
    const seen = views.get(directory) ?? disk;
    const restored = orProblem(entry, errors, () => restoreOne(seen, entry, manifest, options));
    if (!restored) return;
    results.push(restored);
    const names = new Set(restored.files.map(({ name }) => name));
    if (!options.apply) views.set(directory, restoredView(seen, entry, manifest, names));
  };
  const { progress } = options;
  const due = found.map((one) => ({ ...one, bytes: keptBytes(one.manifest) }));
  await withProgress(progress, totalBytes(due), 'bytes', async () => {
    for (const one of due) {
      await breathe();
      inTurn(one);
      progress?.advance(one.bytes);
    }
  });
  return { applied: options.apply, results, unfinished, errors };
}

/** Bytes that an entry holds, all of which are read to check it. */
function keptBytes({ files }: Manifest): number {
  return files.reduce((sum, { before }) => sum + (before?.piece?.bytes ?? 0), 0);
}

/** Works without a pause, so that no signal is heard while the lock is held. */
function restoreOne(
  disk: Disk,
  entry: string,
  manifest: Manifest,
  options: RestoreEntriesOptions,
): Restoration {
  if (options.ignoreFormat !== true) checkFormat(disk, manifest.logRoot);
  if (!options.apply) return restoreEntry(disk, entry, manifest, options);
  const lock = lockLogRoot(disk, manifest.logRoot);
  try {
    return restoreEntry(disk, entry, manifest, options);
  } finally {
    lock.release();
  }
}
