import { dirname } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { isThere } from '../disk/durable.js';
import { RefusedError } from '../errors.js';
import { runToEnd } from '../format/walk.js';
import { FailureLatch } from './failure-latch.js';
import { fencePath, isFenced, sealFileSteps } from './fence.js';
import type { LogOptions, RollRule } from './log-options.js';
import { rollRule } from './log-options.js';
import type { LogPage } from './log-page.js';
import { readAcross } from './log-page.js';
import type { ReadLimits, RecordPage } from './page.js';
import type { RecoveryReport } from './recovery.js';
import { isSealed, writeMarker } from './sealing.js';
import type { SegmentFiles } from './segment-files.js';
import { listSegmentFiles, segmentFiles } from './segment-files.js';
import type { AppendRefusal, NewRecord } from './segment-store.js';
import { SegmentStore } from './segment-store.js';
import { storeSettings } from './settings.js';
import { cutFile, findCutSteps, removeSegment, splitAt, writeCutSidecar } from './truncation.js';

/** As a file's refusals; `sealed` comes only where the last file is sealed and empty, so that none can follow. */
export type LogRefusal = AppendRefusal | 'fenced';

export type LogAppendOutcome =
  | { readonly kind: 'appended'; readonly offset: bigint }
  | { readonly kind: 'refused'; readonly reason: LogRefusal };

export type TruncateOutcome =
  | { readonly kind: 'truncated'; readonly droppedRecords: bigint }
  /** The good records end before the offset asked for, or a file is missing there. Nothing was changed. */
  | { readonly kind: 'short'; readonly endOffset: bigint };

export interface OpenedLog {
  readonly log: Log;
  /** What recovery found in the last file; `null` if the log is new. */
  readonly report: RecoveryReport | null;
}

/**
 * A directory of files that are one log: each begins where the one before ends, and only the last is written
 * to. It fails as `SegmentStore` does: after a `StorageError` every call but `close` is refused (`EHANDLE`).
 */
export class Log {
  readonly directory: string;
  readonly #options: LogOptions;
  readonly #disk: Disk;
  readonly #roll: RollRule;
  readonly #latch: FailureLatch;
  /** Every file, the last one included. */
  #files: SegmentFiles[];
  #last: SegmentStore;
  #lastOpenedAtMs: number;
  #fenced: boolean;

  private constructor(
    directory: string,
    options: LogOptions,
    files: SegmentFiles[],
    last: SegmentStore,
    fenced: boolean,
  ) {
    this.directory = directory;
    this.#options = options;
    this.#disk = storeSettings(options).disk;
    this.#roll = rollRule(options);
    this.#latch = new FailureLatch(directory);
    this.#files = files;
    this.#last = last;
    this.#lastOpenedAtMs = this.#roll.clock();
    this.#fenced = fenced;
  }

  /** Opens a log in one go; see `openSteps`. */
  static open(directory: string, options?: LogOptions): OpenedLog {
    return runToEnd(Log.openSteps(directory, options));
  }

  /**
   * Recovers the last file of a log as a node does; the files before it are left as they are. Where there is no
   * file yet, creates the directory and the first one. Yields positions.
   *
   * @throws RefusedError if the directory is fenced and has no file. @throws StorageError
   */
  static *openSteps(directory: string, options: LogOptions = {}): Generator<number, OpenedLog> {
    const { disk } = storeSettings(options);
    rollRule(options);
    if (!isThere(disk, directory)) {
      disk.makeDirectory(directory);
      disk.syncDirectory(dirname(directory));
    }
    const fenced = isFenced(disk, directory);
    const files = listSegmentFiles(disk, directory);
    const last = files.at(-1);
    if (last) {
      const { store, report } = yield* SegmentStore.recoverSteps(last, options);
      return { log: new Log(directory, options, files, store, fenced), report };
    }
    if (fenced) {
      throw new RefusedError('EFENCED', `${directory} is fenced and has no file to open`);
    }
    const first = segmentFiles(directory, options.startOffset ?? 0n);
    const store = SegmentStore.open(first, options);
    return { log: new Log(directory, options, [first], store, fenced), report: null };
  }

  /** The files by ascending base offset. */
  get files(): readonly SegmentFiles[] {
    return this.#files;
  }

  /** Offset of the first record. */
  get startOffset(): bigint {
    return (this.#files[0] ?? this.#last.files).baseOffset;
  }

  /** Offset that the next appended record gets. */
  get nextOffset(): bigint {
    return this.#last.nextOffset;
  }

  /** Offset behind the last safe record. */
  get safeEndOffset(): bigint {
    return this.#last.safeEndOffset;
  }

  get fenced(): boolean {
    return this.#fenced;
  }

  /**
   * Buffers a record, in a new file if the last one is sealed, or large or old enough. What a roll or a full
   * buffer finds buffered is synced.
   *
   * @throws RangeError if the record fits in no frame. @throws StorageError
   */
  append(record: NewRecord): LogAppendOutcome {
    const reason = this.#latch.run(() => {
      const refusal = this.#refusal();
      if (refusal === null && this.#mustRoll()) this.#startFile();
      return refusal;
    });
    return reason ? { kind: 'refused', reason } : this.#last.append(record);
  }

  /** Writes what is buffered and fsyncs it, before it returns. @throws StorageError */
  sync(): void {
    this.#latch.run(() => {
      this.#last.sync();
    });
  }

  /** The safe records from `fromOffset` on, across files. @throws RangeError @throws StorageError */
  read(fromOffset: bigint, limits: ReadLimits = {}): LogPage {
    const readFile = (files: SegmentFiles, from: bigint, left: ReadLimits): RecordPage => {
      if (files.baseOffset === this.#last.files.baseOffset) return this.#last.read(from, left);
      const reader = SegmentStore.openRead(files, this.#options);
      try {
        return reader.read(from, left);
      } finally {
        reader.close();
      }
    };
    return this.#latch.run(() => readAcross(this.#files, readFile, fromOffset, limits));
  }

  /**
   * Fences the log as a whole: seals every file that is not, then writes `SEALED`, each durable before the
   * next. Appends are refused from then on. Damaged tails stay.
   *
   * @throws StorageError; opened anew, the log can be sealed again.
   */
  seal(): void {
    this.#latch.run(() => {
      for (const files of this.#files.slice(0, -1)) {
        if (!isSealed(this.#disk, files)) {
          runToEnd(sealFileSteps(files, storeSettings(this.#options)));
        }
      }
      this.#last.seal();
      writeMarker(this.#disk, fencePath(this.directory));
      this.#fenced = true;
    });
  }

  /**
   * Makes the log end at `endOffset`, fenced or not: files wholly past it are removed from the highest down,
   * and the file that holds it is cut at the frame boundary; whatever tail it had goes too. At every moment the
   * log on disk is readable and holds every record below `endOffset`. Buffered records are synced before.
   *
   * @throws RangeError if it is below the log's start. @throws StorageError
   */
  truncate(endOffset: bigint): TruncateOutcome {
    const split = splitAt(this.#files, endOffset);
    if (!split) {
      throw new RangeError(`the log starts at ${this.startOffset}, found an end of ${endOffset}`);
    }
    return this.#latch.run(() => {
      this.#last.sync();
      const oldEnd = this.#last.nextOffset;
      const cut = runToEnd(findCutSteps(split.cut, endOffset, storeSettings(this.#options)));
      if (typeof cut === 'bigint') return { kind: 'short', endOffset: cut };
      this.#last.close();
      writeCutSidecar(this.#disk, cut);
      for (const files of split.past.toReversed()) removeSegment(this.#disk, files);
      cutFile(this.#disk, cut);
      this.#files = this.#files.slice(0, this.#files.length - split.past.length);
      this.#last = SegmentStore.recover(split.cut, this.#options).store;
      return { kind: 'truncated', droppedRecords: oldEnd - endOffset };
    });
  }

  /** Syncs and closes; after a failure it only closes. May be called more than once. @throws StorageError */
  close(): void {
    this.#latch.close();
    this.#last.close();
  }

  #refusal(): LogRefusal | null {
    if (this.#fenced) return 'fenced';
    if (this.#last.holdsDamage) return 'damaged_tail';
    return this.#last.frameBytes === 0 ? this.#last.appendRefusal : null;
  }

  #mustRoll(): boolean {
    const { segmentBytes, segmentAgeMs, clock } = this.#roll;
    if (this.#last.appendRefusal === 'sealed') return true;
    const bytes = this.#last.frameBytes;
    return bytes >= segmentBytes || (bytes > 0 && clock() - this.#lastOpenedAtMs >= segmentAgeMs);
  }

  #startFile(): void {
    this.#last.seal();
    this.#last.close();
    const next = segmentFiles(this.directory, this.#last.nextOffset);
    this.#last = SegmentStore.open(next, this.#options);
    this.#files.push(next);
    this.#lastOpenedAtMs = this.#roll.clock();
  }
}
