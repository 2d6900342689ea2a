import { basename, dirname } from 'node:path';
import type { Disk } from '../disk/disk.js';
import type { NamedProcess } from '../disk/in-use.js';
import { requireUnused } from '../disk/in-use.js';
import type { LogRootLock } from '../disk/lock.js';
import { lockLogRoot } from '../disk/lock.js';
import { MalachiError } from '../errors.js';
import { isShardName } from '../format/names.js';
import { checkFormat } from './log-root.js';
import type { NodeRoot } from './nodes.js';

/** Whether a node's log root may be worked on, and what stands in the way. */
export interface NodeGate extends NodeRoot {
  /** The root with links resolved; as given if that failed. */
  readonly realRoot: string;
  readonly obstacle: MalachiError | null;
}

export interface GateOptions {
  /** The copies are to be changed: takes the locks, and looks for processes with open files. */
  readonly apply: boolean;
  readonly assumeUnused: boolean;
  readonly ignoreFormat: boolean;
}

export interface OpenGates {
  readonly gates: ReadonlyMap<string, NodeGate>;
  /** Processes that could not be looked at. */
  readonly unseen: readonly NamedProcess[];
  /** Gives the locks back; a second time does nothing. */
  release(): void;
}

/** Opens the way to each node's log root; one that is barred bars no other. */
export function openGates(disk: Disk, nodes: readonly NodeRoot[], options: GateOptions): OpenGates {
  const locks = new Map<string, LogRootLock>();
  const unseen = new Map<number, NamedProcess>();
  const gates = new Map<string, NodeGate>();
  const release = (): void => {
    for (const lock of locks.values()) lock.release();
    locks.clear();
  };
  for (const { node, root } of nodes) {
    let realRoot = root;
    let obstacle: MalachiError | null = null;
    try {
      realRoot = disk.realPath(root);
      if (!options.ignoreFormat) checkFormat(disk, lockedRoot(realRoot));
      if (options.apply) {
        const lockRoot = lockedRoot(realRoot);
        if (!locks.has(lockRoot)) locks.set(lockRoot, lockLogRoot(disk, lockRoot));
        for (const found of requireUnused(disk, [realRoot], options.assumeUnused)) {
          unseen.set(found.pid, found);
        }
      }
    } catch (error) {
      if (!(error instanceof MalachiError)) {
        release();
        throw error;
      }
      obstacle = error;
    }
    gates.set(node, { node, root, realRoot, obstacle });
  }
  return { gates, unseen: [...unseen.values()], release };
}

/** Where the lock is: a shard's directory that was given as a root belongs to the root above it. */
function lockedRoot(realRoot: string): string {
  return isShardName(basename(realRoot)) ? dirname(realRoot) : realRoot;
}
