import { DescriptorSource } from '../disk/descriptor-source.js';
import type { Disk } from '../disk/disk.js';
import { writeFully } from '../disk/durable.js';
import { memorySource } from '../format/byte-source.js';
import type { SegmentRecord } from '../format/frame.js';
import { encodeFrame, FRAME_HEADER_BYTES } from '../format/frame.js';
import { runToEnd } from '../format/walk.js';
import { FailureLatch } from './failure-latch.js';
import type { ReadLimits, RecordPage } from './page.js';
import { readPage } from './page.js';
import type { RecoveryReport } from './recovery.js';
import type { SegmentFiles } from './segment-files.js';
import type { OpenSegment } from './segment-opening.js';
import { createSegment, recoverSegmentSteps } from './segment-opening.js';
import { SegmentReader } from './segment-reader.js';
import { writeSeal } from './sealing.js';
import type { SegmentStoreOptions, StoreSettings } from './settings.js';
import { storeSettings } from './settings.js';
import type { VerifyResult } from './verification.js';
import { rebuildIndexSteps, verifySteps } from './verification.js';
import { WriteBuffer } from './write-buffer.js';

/** A record to append; the store gives it its offset. */
export type NewRecord = Omit<SegmentRecord, 'offset'>;

/**
 * Why a record is not taken:
 *
 * - `sealed`: the file is sealed
 * - `damaged_tail`: recovery preserved damage where the next record would go
 */
export type AppendRefusal = 'sealed' | 'damaged_tail';

export type AppendOutcome =
  | { readonly kind: 'appended'; readonly offset: bigint }
  | { readonly kind: 'refused'; readonly reason: AppendRefusal };

export interface RecoveredSegment {
  readonly store: SegmentStore;
  /** What recovery found, before it did what `action` says. */
  readonly report: RecoveryReport;
}

/**
 * One file of a log, opened for appending (the system's `Malachi.Storage.SegmentStore`).
 *
 * Durability: a record is safe once `sync` has returned after its `append`, or once an append has flushed by
 * itself; both write, then fsync. Reads answer safe records only.
 *
 * Failures: a system error is thrown as a `StorageError` with its code, and the handle is not to be used again
 * (`EHANDLE`; `close` is fine). Records that were buffered then are not safe: some of them may be in the
 * file, whole or torn, and recovering the file tells which.
 */
export class SegmentStore {
  readonly files: SegmentFiles;
  readonly #disk: Disk;
  readonly #settings: StoreSettings;
  readonly #segment: OpenSegment;
  readonly #latch: FailureLatch;
  readonly #buffer = new WriteBuffer();

  private constructor(files: SegmentFiles, settings: StoreSettings, segment: OpenSegment) {
    this.files = files;
    this.#disk = settings.disk;
    this.#settings = settings;
    this.#segment = segment;
    this.#latch = new FailureLatch(files.logPath);
  }

  /**
   * Creates the file, sizes it to the preallocation, and makes its name durable.
   *
   * @throws StorageError `EEXIST` if it is there already (recover it instead), or the system's code.
   */
  static open(files: SegmentFiles, options?: SegmentStoreOptions): SegmentStore {
    const settings = storeSettings(options);
    return new SegmentStore(files, settings, createSegment(files, settings));
  }

  /** Recovers a file in one go; see `recoverSteps`. */
  static recover(files: SegmentFiles, options?: SegmentStoreOptions): RecoveredSegment {
    return runToEnd(SegmentStore.recoverSteps(files, options));
  }

  /**
   * Scans a file, classifies its tail, does what the node's recovery would do about it, and opens it for
   * appending behind the last good record. Yields positions. An unsealed file is then extended to the
   * preallocation. A preserved tail leaves every byte as it is, and appends are refused (`damaged_tail`); so
   * they are where a discarded tail has data behind the window that the system's rule blanks.
   *
   * @throws StorageError with the system's code. One that comes while the file is read changes nothing.
   */
  static *recoverSteps(
    files: SegmentFiles,
    options?: SegmentStoreOptions,
  ): Generator<number, RecoveredSegment> {
    const settings = storeSettings(options);
    const { segment, report } = yield* recoverSegmentSteps(files, settings);
    return { store: new SegmentStore(files, settings, segment), report };
  }

  /** Opens a file for reading alone. @throws StorageError */
  static openRead(files: SegmentFiles, options?: SegmentStoreOptions): SegmentReader {
    return SegmentReader.open(files, storeSettings(options).disk);
  }

  /** Verifies a file as it is on disk, open or not; changes nothing. @throws StorageError */
  static verify(files: SegmentFiles, options?: SegmentStoreOptions): VerifyResult {
    return runToEnd(verifySteps(files, storeSettings(options)));
  }

  /**
   * Writes a file's sidecar anew from the good frames at its front, in the place of the old one.
   *
   * @returns how many entries it has. @throws StorageError
   */
  static rebuildIndex(files: SegmentFiles, options?: SegmentStoreOptions): number {
    return runToEnd(rebuildIndexSteps(files, storeSettings(options)));
  }

  /** Offset that the next appended record gets. */
  get nextOffset(): bigint {
    return this.#segment.safeEnd + BigInt(this.#buffer.count);
  }

  /** Offset behind the last safe record. */
  get safeEndOffset(): bigint {
    return this.#segment.safeEnd;
  }

  /** Bytes of the frames, buffered ones included; the file may be larger. */
  get frameBytes(): number {
    return this.#segment.writePosition + this.#buffer.bytes;
  }

  /** Why an append would be refused; `null` if it would not. */
  get appendRefusal(): AppendRefusal | null {
    if (this.#segment.sealed) return 'sealed';
    return this.#segment.holdsDamage ? 'damaged_tail' : null;
  }

  /** Whether recovery preserved a damaged tail behind the readable records. */
  get holdsDamage(): boolean {
    return this.#segment.holdsDamage;
  }

  /**
   * Buffers a record; writes and syncs the buffer once it holds `flushBytes` or `flushCount`.
   *
   * @throws RangeError if the record fits in no frame; the handle stays usable. @throws StorageError
   */
  append(record: NewRecord): AppendOutcome {
    const reason = this.#latch.run(() => this.appendRefusal);
    if (reason) return { kind: 'refused', reason };
    const offset = this.nextOffset;
    this.#buffer.push(encodeFrame({ ...record, offset }));
    const { flushBytes, flushCount } = this.#settings;
    if (this.#buffer.bytes >= flushBytes || this.#buffer.count >= flushCount) this.sync();
    return { kind: 'appended', offset };
  }

  /** Writes what is buffered and fsyncs it, before it returns. @throws StorageError */
  sync(): void {
    this.#latch.run(() => {
      this.#flush();
    });
  }

  /**
   * The safe records from `fromOffset` on; an empty page behind the last.
   *
   * @throws RangeError for a limit below 1. @throws StorageError
   */
  read(fromOffset: bigint, limits?: ReadLimits): RecordPage {
    return this.#latch.run(() => {
      const { fd, writePosition, index, inSequence, safeEnd } = this.#segment;
      if (inSequence && fromOffset >= safeEnd) return { records: [], end: 'end', bytes: 0 };
      const source = new DescriptorSource(this.#disk, fd, this.files.logPath, writePosition);
      const hints = inSequence ? memorySource(index.bytes()) : null;
      return readPage(source, hints, fromOffset, limits);
    });
  }

  /**
   * Seals the file: syncs, cuts a blank tail, then writes the sidecar and the `.sealed` marker, each durable
   * before the next. A preserved tail stays. Appends are refused from then on; a sealed file is left alone.
   *
   * @throws StorageError
   */
  seal(): void {
    this.#latch.run(() => {
      if (this.#segment.sealed) return;
      this.#flush();
      if (!this.#segment.holdsDamage) this.#cutToFrames();
      writeSeal(this.#disk, this.files, this.#segment.index.bytes());
      this.#segment.sealed = true;
    });
  }

  /**
   * Syncs, cuts the blank tail that this store preallocated, and closes the file. After a failure it closes
   * the file and nothing else. May be called more than once.
   *
   * @throws StorageError
   */
  close(): void {
    if (this.#latch.closed) return;
    try {
      if (!this.#latch.failed) {
        this.#latch.run(() => {
          this.#flush();
          if (this.#segment.ownsBlankTail) this.#cutToFrames();
        });
      }
    } finally {
      this.#latch.close();
      this.#disk.close(this.#segment.fd);
    }
  }

  #flush(): void {
    if (this.#buffer.count === 0) return;
    const segment = this.#segment;
    const frames = this.#buffer.frames();
    writeFully(this.#disk, segment.fd, Buffer.concat(frames), segment.writePosition);
    this.#disk.sync(segment.fd);
    for (const frame of frames) {
      segment.index.offer(frame.subarray(FRAME_HEADER_BYTES), segment.writePosition);
      segment.writePosition += frame.length;
    }
    segment.safeEnd += BigInt(frames.length);
    this.#buffer.clear();
  }

  #cutToFrames(): void {
    this.#disk.truncate(this.#segment.fd, this.#segment.writePosition);
    this.#disk.sync(this.#segment.fd);
    this.#segment.ownsBlankTail = false;
  }
}
