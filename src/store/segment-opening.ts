import { DescriptorSource } from '../disk/descriptor-source.js';
import { createFile, isThere } from '../disk/durable.js';
import { statRegularFile } from '../disk/file-source.js';
import { SidecarBuilder } from '../format/sidecar.js';
import { extendOrRestore } from './preallocation.js';
import type { RecoveryReport } from './recovery.js';
import { discardTail, recoveryScanSteps } from './recovery.js';
import { isSealed, removeCompanions } from './sealing.js';
import type { SegmentFiles } from './segment-files.js';
import type { StoreSettings } from './settings.js';

/** What a handle knows of its open file. */
export interface OpenSegment {
  readonly fd: number;
  /** Where the next frame goes: behind the last safe record. */
  writePosition: number;
  /** Offset behind the last safe record. */
  safeEnd: bigint;
  /** Entries of the safe records. */
  readonly index: SidecarBuilder;
  /** Every record carries the offset that its place in the file gives it: the index can be searched. */
  readonly inSequence: boolean;
  /** The file has zeros behind its frames that a store with preallocation put there. */
  ownsBlankTail: boolean;
  sealed: boolean;
  /** Bytes that recovery preserved stand where the next frame would go. */
  readonly holdsDamage: boolean;
}

/** Creates a segment's file and opens it. @throws StorageError */
export function createSegment(files: SegmentFiles, settings: StoreSettings): OpenSegment {
  const { disk, preallocBytes, indexInterval } = settings;
  if (!isThere(disk, files.logPath)) removeCompanions(disk, files);
  createFile(disk, files.logPath, new Uint8Array(0));
  disk.syncDirectory(files.directory);
  const fd = disk.open(files.logPath, 'write');
  try {
    return {
      fd,
      writePosition: 0,
      safeEnd: files.baseOffset,
      index: new SidecarBuilder(indexInterval),
      inSequence: true,
      ownsBlankTail: preallocBytes > 0 && extendOrRestore(disk, fd, 0, preallocBytes),
      sealed: false,
      holdsDamage: false,
    };
  } catch (error) {
    disk.close(fd);
    throw error;
  }
}

export interface RecoveredFile {
  readonly segment: OpenSegment;
  readonly report: RecoveryReport;
}

/** Scans a segment's file, does what recovery may do, and leaves it open. @throws StorageError */
export function* recoverSegmentSteps(
  files: SegmentFiles,
  settings: StoreSettings,
): Generator<number, RecoveredFile> {
  const { disk, preallocBytes, indexInterval } = settings;
  const sealed = isSealed(disk, files);
  const fd = disk.open(files.logPath, sealed ? 'read' : 'write');
  let isHandedOver = false;
  try {
    const { size } = statRegularFile(disk, fd, files.logPath);
    const sidecar = new SidecarBuilder(indexInterval);
    const source = new DescriptorSource(disk, fd, files.logPath, size);
    const report = yield* recoveryScanSteps(source, {
      kernel: settings.kernel(),
      baseOffset: files.baseOffset,
      sealed,
      preallocates: preallocBytes > 0,
      sidecar,
    });
    const segment = applyRecovery(fd, report, sidecar, settings);
    isHandedOver = true;
    return { report, segment };
  } finally {
    if (!isHandedOver) disk.close(fd);
  }
}

function applyRecovery(
  fd: number,
  report: RecoveryReport,
  index: SidecarBuilder,
  settings: StoreSettings,
): OpenSegment {
  const { disk, preallocBytes } = settings;
  const { action, sealed, validBytes, fileBytes, state } = report;
  const preallocates = preallocBytes > 0;
  const preserves = action === 'preserve';
  if (action === 'discard_tail') discardTail(disk, fd, report, preallocates);
  const isExtended =
    preallocates && !sealed && !preserves && extendOrRestore(disk, fd, fileBytes, preallocBytes);
  const holdsDamage = preserves || report.discardLeavesData;
  return {
    fd,
    writePosition: validBytes,
    safeEnd: state.nextOffset,
    index,
    inSequence: state.outOfSequence === 0,
    ownsBlankTail: isExtended && !holdsDamage,
    sealed,
    holdsDamage,
  };
}
