import type { Disk } from '../disk/disk.js';
import { isMissing } from '../disk/durable.js';
import { FileSource } from '../disk/file-source.js';
import { nodeDisk } from '../disk/node-disk.js';
import { FailureLatch } from './failure-latch.js';
import type { ReadLimits, RecordPage } from './page.js';
import { readPage } from './page.js';
import type { SegmentFiles } from './segment-files.js';

/** A file opened for reading: nothing is scanned, nothing changed, and its sidecar is a hint to seek by. */
export class SegmentReader {
  readonly files: SegmentFiles;
  readonly #log: FileSource;
  readonly #sidecar: FileSource | null;
  readonly #latch: FailureLatch;

  private constructor(files: SegmentFiles, log: FileSource, sidecar: FileSource | null) {
    this.files = files;
    this.#log = log;
    this.#sidecar = sidecar;
    this.#latch = new FailureLatch(files.logPath);
  }

  /** @throws StorageError if the file, or a sidecar that is there, cannot be opened. */
  static open(files: SegmentFiles, disk: Disk = nodeDisk): SegmentReader {
    const log = FileSource.open(disk, files.logPath);
    try {
      return new SegmentReader(files, log, openIfThere(disk, files.sidecarPath));
    } catch (error) {
      log.close();
      throw error;
    }
  }

  /** Size of the file when it was opened, in bytes, a blank tail included. */
  get fileBytes(): number {
    return this.#log.size;
  }

  /**
   * The records from `fromOffset` on, of the file as it was when it was opened.
   *
   * @throws StorageError with the system's code, `ECHANGED` if the file has become shorter, or `EHANDLE`
   *   after an earlier failure.
   */
  read(fromOffset: bigint, limits?: ReadLimits): RecordPage {
    return this.#latch.run(() => readPage(this.#log, this.#sidecar, fromOffset, limits));
  }

  /** May be called more than once. */
  close(): void {
    if (this.#latch.closed) return;
    this.#latch.close();
    this.#sidecar?.close();
    this.#log.close();
  }
}

function openIfThere(disk: Disk, path: string): FileSource | null {
  try {
    return FileSource.open(disk, path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
