import { basename, join } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { MalachiError, RefusedError } from '../errors.js';
import type { CopyFiles } from './copy-files.js';
import { listLogRootSteps } from './log-root.js';
import type { NodeGate } from './node-gates.js';
import type { Progress } from './progress.js';
import { runListing } from './progress.js';

/** The copies in one node's log root, by the names of their directories. */
export class LocatedCopies {
  readonly gate: NodeGate;
  readonly #copies = new Map<string, CopyFiles[]>();

  private constructor(gate: NodeGate, copies: readonly CopyFiles[]) {
    this.gate = gate;
    for (const copy of copies) {
      const segment = basename(copy.path);
      this.#copies.set(segment, [...(this.#copies.get(segment) ?? []), copy]);
    }
  }

  /** Lists the root; a gate with an obstacle, or a root that cannot be listed, has no copies. */
  static async find(disk: Disk, gate: NodeGate, progress?: Progress): Promise<LocatedCopies> {
    if (gate.obstacle) return new LocatedCopies(gate, []);
    try {
      const { copies } = await runListing(listLogRootSteps(disk, gate.realRoot), progress);
      return new LocatedCopies(gate, copies);
    } catch (error) {
      if (!(error instanceof MalachiError)) throw error;
      return new LocatedCopies({ ...gate, obstacle: error }, []);
    }
  }

  /** Names of the copies that a run which was cut short has left half settled. */
  unfinished(): string[] {
    return [...this.#copies]
      .filter(([, copies]) => copies.some(({ settlingMarker }) => settlingMarker))
      .map(([segment]) => segment);
  }

  /** The directory of a segment's copy, whether or not it is there. */
  directoryOf(segment: string): string {
    return this.#copies.get(segment)?.[0]?.path ?? join(this.gate.realRoot, segment);
  }

  /** What stands in the way of working on a segment's copy. */
  obstacleFor(segment: string): MalachiError | null {
    const [first, second] = this.#copies.get(segment) ?? [];
    if (this.gate.obstacle || !first || !second) return this.gate.obstacle;
    return new RefusedError(
      'EDUPLICATE',
      `${first.path}: refused, the node has another copy of the segment at ${second.path}`,
    );
  }
}
