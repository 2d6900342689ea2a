import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'lossless-json';
import type { MeasuredCopy, NodeCopies } from '../../src/control-plane/inventory.js';
import type { PlanInputs } from '../../src/operations/plan-overrun.js';
import { fixtures } from './golden.js';

export const clusterRoot = join(fixtures, 'golden-cluster');
export const metadataPath = join(clusterRoot, 'metadata.json');

/** What settling one copy must answer. Every integer is a bigint. */
export interface ExpectedCopy {
  kind: string;
  /** Its directory, from the cluster's. */
  dir: string;
  outcome: string;
  held: bigint;
  dropped: bigint;
  byte_size: bigint;
  stored: bigint;
  good_hex: string;
}

/** What the system answered for the cluster's copies; every integer is a bigint. */
interface ExpectedCluster {
  nodes: Record<string, string>;
  actions: Record<string, unknown>[];
  /** Replica, segment, recorded bytes, stored bytes. */
  short: [string, string, bigint, bigint][];
  /** Replica, segment. */
  orphaned_fences: [string, string][];
  /** By `SEGMENT/NODE`: what settling the copy must answer, and leave in its log files. */
  copies: Record<string, ExpectedCopy>;
}

export const expectedCluster = parse(
  readFileSync(join(clusterRoot, 'expected.json'), 'utf8'),
  undefined,
  (digits) => BigInt(digits),
) as ExpectedCluster;

/** The copies of the golden cluster, measured by the test itself. */
export function clusterCopies(): NodeCopies[] {
  return Object.entries(expectedCluster.nodes).map(([node, directory]) => {
    const copies = new Map<string, MeasuredCopy | null>();
    const root = join(clusterRoot, directory);
    const shards = readdirSync(root).filter((name) => name.startsWith('shard_'));
    for (const parent of [root, ...shards.map((shard) => join(root, shard))]) {
      for (const name of readdirSync(parent)) {
        if (/-r\d+-s\d+$/.test(name)) copies.set(name, measure(join(parent, name)));
      }
    }
    return { node, copies, complete: true };
  });
}

function measure(directory: string): MeasuredCopy {
  let storedBytes = 0n;
  for (const name of readdirSync(directory)) {
    if (name.endsWith('.log'))
      storedBytes += statSync(join(directory, name), { bigint: true }).size;
  }
  return { storedBytes, fenced: existsSync(join(directory, 'SEALED')), settled: null };
}

/** What a plan over the golden cluster, or a copy of it, is made from. */
export function clusterInputs(root: string): PlanInputs {
  return {
    metadata: [metadataPath],
    nodes: Object.entries(expectedCluster.nodes).map(([node, directory]) => ({
      node,
      root: join(root, directory),
    })),
    inventories: [],
    batchSize: 64,
    after: null,
    replicationFactor: null,
    partial: false,
    failed: [],
  };
}
