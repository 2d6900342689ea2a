import type { Disk } from '../disk/disk.js';
import { isMissing, replaceFile } from '../disk/durable.js';
import { readSmallFile, withFileSteps } from '../disk/file-source.js';
import type { SidecarVerdict } from '../format/sidecar.js';
import { SidecarBuilder, verifySidecar } from '../format/sidecar.js';
import type { IntegrityVerdict } from '../format/tail.js';
import { integrityVerdict, readTailShape } from '../format/tail.js';
import { walkSteps } from '../format/walk.js';
import { isSealed } from './sealing.js';
import type { SegmentFiles } from './segment-files.js';
import type { StoreSettings } from './settings.js';

/** More than the sidecar of any file that a system writes: four million entries. */
const MAX_SIDECAR_BYTES = 64 * 1024 * 1024;

/** What verification says of a file: its frames first, and only where they are intact its sidecar. */
export type VerifyResult =
  | {
      readonly kind: 'ok';
      readonly records: number;
      /** Of the frames. */
      readonly bytes: number;
      /** `null` without a sidecar, which is no damage. */
      readonly indexEntries: number | null;
    }
  | { readonly kind: 'damaged'; readonly verdict: IntegrityVerdict }
  | { readonly kind: 'bad_index'; readonly verdict: BadSidecar };

export type BadSidecar = Extract<SidecarVerdict, { status: 'bad' }>;

/** The part of a store's settings that scanning a closed file needs. */
export type ScanSettings = Pick<
  StoreSettings,
  'disk' | 'kernel' | 'preallocBytes' | 'indexInterval'
>;

/**
 * Checks framing and checksums without parsing, then the sidecar. Yields positions.
 *
 * @throws StorageError
 */
export function* verifySteps(
  files: SegmentFiles,
  settings: ScanSettings,
): Generator<number, VerifyResult> {
  const { disk, preallocBytes } = settings;
  const sealed = isSealed(disk, files);
  return yield* withFileSteps(disk, files.logPath, function* (source) {
    const { baseOffset } = files;
    const walk = yield* walkSteps(source, settings.kernel(), { baseOffset, parse: false });
    const { validBytes, state } = walk;
    const halt = walk.halt === 'limit' ? 'eof' : walk.halt;
    const shape = readTailShape(source, validBytes);
    const damage = integrityVerdict(halt, shape, sealed, preallocBytes > 0);
    if (damage) return { kind: 'damaged', verdict: damage };
    const bytes = readSidecar(disk, files);
    const verdict = bytes && verifySidecar(bytes, source, validBytes);
    if (verdict?.status === 'bad') return { kind: 'bad_index', verdict };
    const indexEntries = verdict?.entries ?? null;
    return { kind: 'ok', records: state.records, bytes: validBytes, indexEntries };
  });
}

/**
 * Writes the sidecar anew from the good frames at the front of the file. Yields positions.
 *
 * @returns how many entries it has. @throws StorageError
 */
export function* rebuildIndexSteps(
  files: SegmentFiles,
  settings: ScanSettings,
): Generator<number, number> {
  const { disk } = settings;
  const sidecar = yield* buildSidecarSteps(files, settings);
  replaceFile(disk, files.sidecarPath, sidecar.bytes());
  return sidecar.entries;
}

/** The entries of the good frames at the front of the file. Yields positions. @throws StorageError */
export function* buildSidecarSteps(
  files: SegmentFiles,
  settings: ScanSettings,
): Generator<number, SidecarBuilder> {
  const sidecar = new SidecarBuilder(settings.indexInterval);
  return yield* withFileSteps(settings.disk, files.logPath, function* (source) {
    const { baseOffset } = files;
    yield* walkSteps(source, settings.kernel(), { baseOffset, parse: true, sidecar });
    return sidecar;
  });
}

function readSidecar(disk: Disk, files: SegmentFiles): Uint8Array | null {
  try {
    return readSmallFile(disk, files.sidecarPath, MAX_SIDECAR_BYTES);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
