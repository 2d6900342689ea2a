/**
 * The library's face: the segment store, the rules a node judges by, and the planning of `seal_at` calls,
 * without the command line.
 */
export { InvalidInputError, MalachiError, RefusedError, StorageError } from './errors.js';
export type { DirectoryEntry, Disk, FileKind, FileStat, OpenMode } from './disk/disk.js';
export { nodeDisk } from './disk/node-disk.js';
export { FileSource, withFile } from './disk/file-source.js';

export type { ByteSource } from './format/byte-source.js';
export { memorySource } from './format/byte-source.js';
export type { RecordHeader, SegmentRecord } from './format/frame.js';
export { decodePayload, encodeFrame } from './format/frame.js';
export type { FrameKernel } from './format/frame-kernel.js';
export { createKernel } from './format/frame-kernel.js';
export type { SegmentId } from './format/names.js';
export { fileStem, parseLogName, parseSegmentName, segmentName } from './format/names.js';
export type { Beyond, FoundFrame } from './format/resync.js';
export { beyondSteps, findFrames } from './format/resync.js';
export type { SidecarEntry, SidecarVerdict } from './format/sidecar.js';
export { decodeSidecar, SidecarBuilder, verifySidecar } from './format/sidecar.js';
export type { IntegrityVerdict, TailAction, TailClass, TailShape } from './format/tail.js';
export { actionFor, classifyTail, integrityVerdict, readTailShape } from './format/tail.js';
export type { Halt, WalkOptions, WalkResult } from './format/walk.js';
export { runToEnd, walkSteps } from './format/walk.js';

export type { LogOptions } from './store/log-options.js';
export type { LogAppendOutcome, LogRefusal, OpenedLog, TruncateOutcome } from './store/log.js';
export { Log } from './store/log.js';
export type { LogPage } from './store/log-page.js';
export type { ReadLimits, RecordPage } from './store/page.js';
export type { RecoveryReport } from './store/recovery.js';
export type { SegmentFiles } from './store/segment-files.js';
export { segmentFiles, segmentFilesOf } from './store/segment-files.js';
export { SegmentReader } from './store/segment-reader.js';
export type { AppendOutcome, NewRecord, RecoveredSegment } from './store/segment-store.js';
export { SegmentStore } from './store/segment-store.js';
export type { SegmentStoreOptions } from './store/settings.js';
export type { VerifyResult } from './store/verification.js';

export type { CopyKey } from './control-plane/copy-key.js';
export type { Snapshot, SourceText } from './control-plane/snapshot.js';
export { readSnapshot } from './control-plane/snapshot.js';
export * as IntegrityProbe from './policy/integrity-probe.js';
export * as OrphanedFence from './policy/orphaned-fence.js';
export * as SealedOverrun from './policy/sealed-overrun.js';

export type { FileReport } from './operations/inspect-file.js';
export type { Inspection, InspectOptions, InspectSummary } from './operations/inspect.js';
export { inspect } from './operations/inspect.js';
export type { CopyToSeal } from './operations/look-at-copy.js';
export type { SealOptions } from './operations/seal-at.js';
export { sealAtSteps } from './operations/seal-at.js';
export type { SealResult } from './operations/seal-result.js';
