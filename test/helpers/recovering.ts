import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Disk } from '../../src/disk/disk.js';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { runToEnd } from '../../src/format/walk.js';
import { resolveTargets } from '../../src/operations/inspect-targets.js';
import { latestFirst, readManifest } from '../../src/operations/quarantine-manifest.js';
import type { RecoveredFileReport, RecoverOptions } from '../../src/operations/recover-file.js';
import {
  finishEarlier,
  lookAtLastFileSteps,
  recoverLookedAt,
} from '../../src/operations/recover-file.js';
import { restoreEntry } from '../../src/operations/restore.js';
import type { GoldenCase } from './golden.js';
import { withoutProcesses } from './quiet-disk.js';

/** A golden case as a copy in a log root of its own. */
export interface CopyInRoot {
  readonly root: string;
  readonly logRoot: string;
  readonly directory: string;
}

export function goldenCopy(root: string, { directory: from, name }: GoldenCase): CopyInRoot {
  const logRoot = join(root, 'n1');
  const directory = join(logRoot, name);
  cpSync(from, directory, {
    recursive: true,
    filter: (path) => !path.endsWith('expected.json'),
  });
  return { root, logRoot, directory };
}

/** Recovers the copy's last file, with a quarantine beside its log root. */
export function recoverCopy(
  disk: Disk,
  { root, directory }: CopyInRoot,
  options: Partial<RecoverOptions>,
): RecoveredFileReport {
  const quiet = withoutProcesses(disk);
  const target = resolveTargets(quiet, [directory], {}).files.at(-1);
  if (!target) throw new Error(`${directory} has no file`);
  // A lock outlives the process in a real crash, not in one that a test makes up.
  const roots = { lock: () => undefined };
  const all: RecoverOptions = {
    ...{ apply: true, preallocBytes: 0, discardRecoverable: false, assumeUnused: false },
    quarantine: join(root, 'quarantine'),
    ...options,
  };
  const finished = all.apply ? finishEarlier(quiet, target, roots, all.assumeUnused) : null;
  const looked = runToEnd(lookAtLastFileSteps(quiet, target, all));
  return all.apply ? recoverLookedAt(quiet, target, looked, finished, all) : looked.report;
}

/** Puts back every whole entry of the quarantine, the latest first. */
export function restoreAll(disk: Disk, { root }: CopyInRoot): void {
  const quarantine = join(root, 'quarantine');
  const entries = readdirSync(quarantine).map((name) => join(quarantine, name));
  const whole = entries.filter((entry) => readdirSync(entry).includes('manifest.json'));
  const found = whole.map((entry) => ({ entry, manifest: readManifest(nodeDisk, entry) }));
  for (const { entry, manifest } of found.sort(latestFirst)) {
    restoreEntry(withoutProcesses(disk), entry, manifest, { apply: true, assumeUnused: false });
  }
}
