import type { Disk } from '../disk/disk.js';
import type { LogRootLock } from '../disk/lock.js';
import { lockLogRoot } from '../disk/lock.js';
import { MalachiError } from '../errors.js';

/** The log roots that a run changes, each locked the first time that it is asked for. */
export class WritableRoots {
  readonly #disk: Disk;
  readonly #locks = new Map<string, LogRootLock | MalachiError>();

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** @throws RefusedError `ELOCKED` for as often as it is asked for, StorageError. */
  lock(root: string): void {
    const held = this.#locks.get(root) ?? this.#take(root);
    this.#locks.set(root, held);
    if (held instanceof MalachiError) throw held;
  }

  #take(root: string): LogRootLock | MalachiError {
    try {
      return lockLogRoot(this.#disk, root);
    } catch (error) {
      if (error instanceof MalachiError) return error;
      throw error;
    }
  }

  /** Gives the locks back; a second time does nothing. */
  release(): void {
    for (const held of this.#locks.values()) if (!(held instanceof MalachiError)) held.release();
    this.#locks.clear();
  }
}
