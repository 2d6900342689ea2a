import { basename } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { isMissing } from '../disk/durable.js';
import type { FileSource } from '../disk/file-source.js';
import { readSmallFile, withFileSteps } from '../disk/file-source.js';
import { requireUnused } from '../disk/in-use.js';
import { StorageError } from '../errors.js';
import { withKernel } from '../format/kernel-pool.js';
import { DEFAULT_INDEX_INTERVAL, SidecarBuilder, verifySidecar } from '../format/sidecar.js';
import type { TailClass } from '../format/tail.js';
import { classifyTail, readTailShape } from '../format/tail.js';
import { walkSteps } from '../format/walk.js';
import { applyChanges } from './apply-changes.js';
import { sidecarPath } from './check-index.js';
import { listPlace, placeOf, requireUnchanged } from './copy-targets.js';
import type { FileTarget } from './inspect-targets.js';
import type { WritableRoots } from './writable-roots.js';

export interface ReindexOptions {
  readonly apply: boolean;
  /** Least distance of two entries, in bytes; `null`: a node's default, and other right indexes stay. */
  readonly indexInterval: number | null;
  /** Go on where open files cannot be checked for. */
  readonly assumeUnused: boolean;
}

/**
 * How a sidecar stands:
 *
 * - `ok`: it is what a rebuild writes
 * - `other`: it is right, with other entries than a rebuild writes
 * - `partial`: it is right as far as it goes, and lacks the first record
 * - `bad`: it points to a wrong place
 * - `missing`: a sealed file has none
 * - `damaged`: the file's records are damaged, so that none can be trusted
 */
export type IndexState = 'ok' | 'other' | 'partial' | 'bad' | 'missing' | 'damaged';

export interface ReindexedFile {
  readonly path: string;
  readonly segment: string;
  readonly baseOffset: bigint;
  readonly classification: TailClass;
  readonly state: IndexState;
  /** Entries that the sidecar has, and those that a rebuild gives it. */
  readonly entries: number | null;
  readonly rebuiltEntries: number | null;
  /** It was rebuilt; in a dry run: it would be. */
  readonly rebuilt: boolean;
}

/**
 * Rebuilds the sidecar of a file if that is due and its records are intact, or tells whether it is. Reads in
 * steps, which can be ended at any of them.
 *
 * @throws RefusedError if the copy is not to be touched; StorageError.
 */
export function* reindexFileSteps(
  disk: Disk,
  target: FileTarget,
  roots: Pick<WritableRoots, 'lock'>,
  options: ReindexOptions,
): Generator<number, ReindexedFile> {
  const place = placeOf(disk, target);
  if (options.apply) roots.lock(place.logRoot);
  const present = listPlace(disk, place);
  const { path, segment, baseOffset } = target;
  const { classification, rebuilt, state, entries } = yield* withFileSteps(disk, path, (source) =>
    judgeSteps(disk, target, source, options.indexInterval ?? DEFAULT_INDEX_INTERVAL),
  );
  const known = { path, segment, baseOffset, classification, state, entries };
  if (state === 'damaged') return { ...known, rebuiltEntries: null, rebuilt: false };
  const isDue = state === 'other' ? options.indexInterval !== null : state !== 'ok';
  if (isDue && options.apply) {
    requireUnused(disk, [place.directory], options.assumeUnused);
    requireUnchanged(disk, place, present);
    const name = basename(sidecarPath(path));
    applyChanges(disk, place.directory, [{ kind: 'write', name, bytes: rebuilt.bytes() }]);
  }
  return { ...known, rebuiltEntries: rebuilt.entries, rebuilt: isDue };
}

interface Judged {
  readonly classification: TailClass;
  readonly state: IndexState;
  readonly entries: number | null;
  readonly rebuilt: SidecarBuilder;
}

function judgeSteps(
  disk: Disk,
  target: FileTarget,
  source: FileSource,
  interval: number,
): Generator<number, Judged> {
  return withKernel(function* (kernel) {
    const rebuilt = new SidecarBuilder(interval);
    const { baseOffset } = target;
    const walk = yield* walkSteps(source, kernel, { baseOffset, parse: true, sidecar: rebuilt });
    const { halt, validBytes } = walk;
    if (halt === 'limit') throw new RangeError('a walk without a limit ended at one');
    const classification = classifyTail(halt, readTailShape(source, validBytes));
    if (source.changed()) {
      const message = `${target.path} was written to while it was read: stop the node`;
      throw new StorageError('ECHANGED', target.path, message);
    }
    if (classification === 'torn' || classification === 'rot') {
      return { classification, state: 'damaged', entries: null, rebuilt };
    }
    const found = readSidecar(disk, target, source.size);
    return { classification, rebuilt, ...judgeSidecar(found, rebuilt, source, validBytes) };
  });
}

/** No sidecar can be larger than its file, for an entry is smaller than the smallest frame; a bad one may be. */
function readSidecar(disk: Disk, { path }: FileTarget, fileBytes: number): Buffer | 'large' | null {
  try {
    return readSmallFile(disk, sidecarPath(path), fileBytes + 65536);
  } catch (error) {
    if (isMissing(error)) return null;
    if (error instanceof StorageError && error.code === 'EFBIG') return 'large';
    throw error;
  }
}

function judgeSidecar(
  found: Buffer | 'large' | null,
  rebuilt: SidecarBuilder,
  source: FileSource,
  validBytes: number,
): Pick<Judged, 'state' | 'entries'> {
  if (found === null) return { state: 'missing', entries: null };
  if (found === 'large') return { state: 'bad', entries: null };
  if (found.equals(rebuilt.bytes())) return { state: 'ok', entries: rebuilt.entries };
  const { status, entries } = verifySidecar(found, source, validBytes);
  if (status === 'bad') return { state: 'bad', entries };
  const first = rebuilt.bytes().subarray(0, 16);
  return { state: found.subarray(0, 16).equals(first) ? 'other' : 'partial', entries };
}
