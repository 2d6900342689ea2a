import type { SegmentRecord } from '../control-plane/segment-record.js';
import type { Snapshot } from '../control-plane/snapshot.js';
import type { Disk } from '../disk/disk.js';
import type { CompareSummary, JudgedSegment } from '../policy/compare-summary.js';
import { summariseComparison } from '../policy/compare-summary.js';
import type { ControlFacts, CopyFacts } from '../policy/compare-verdict.js';
import { judgeSegment, nodesOffSeal } from '../policy/compare-verdict.js';
import type { CopyReading } from './compare-copy.js';
import { unmeasured, unreadable } from './compare-copy.js';
import { expectedNodes, isUnlisted, segmentNames } from './compare-targets.js';
import { listCopyFiles } from './copy-files.js';
import type { JobRunner } from './jobs.js';
import type { NodeListing } from './node-copies.js';
import { listNodeSteps } from './node-copies.js';
import { checkNodeRoots, type NodeRoot } from './nodes.js';
import type { Problem } from './problem.js';
import { runListing, type Progress } from './progress.js';
import { ANY_FORMAT } from './take-inventory.js';

export interface ComparedSegment extends JudgedSegment {
  readonly segment: string;
  /** Given nodes that hold a copy and are not of the replica set; their copies are not read. */
  readonly stray: readonly string[];
}

/**
 * A segment that was not compared. `replica_not_supplied`: no node of its replica set was given;
 * `foreign_id`: the metadata lists it, and its directories cannot be named.
 */
export interface UncomparedSegment {
  readonly segment: string;
  readonly reason: 'replica_not_supplied' | 'foreign_id';
  readonly stray: readonly string[];
}

export interface Comparison {
  /** In the order of their ids. */
  readonly segments: readonly ComparedSegment[];
  readonly skipped: readonly UncomparedSegment[];
  readonly errors: readonly Problem[];
  readonly summary: CompareSummary;
}

export interface CompareOptions {
  /** Also read log roots whose `malachi.format` is not understood. */
  readonly ignoreFormat?: boolean;
  /** Hears how the listing goes on; the reading's is the runner's. */
  readonly progress?: Progress | undefined;
}

/**
 * Compares the copies that the nodes hold of each segment, with each other and, given a snapshot, with
 * the metadata: then a segment's replica set is compared, else every given node. Changes nothing.
 *
 * @throws InvalidInputError for a node given twice, and for a root that is missing or under two names.
 */
export async function compare(
  disk: Disk,
  roots: readonly NodeRoot[],
  snapshot: Snapshot | null,
  options: CompareOptions,
  runner: JobRunner,
): Promise<Comparison> {
  checkNodeRoots(disk, roots, ANY_FORMAT);
  const nodes: NodeListing[] = [];
  for (const root of roots) {
    nodes.push(await runListing(listNodeSteps(disk, root, options), options.progress));
  }
  const errors = nodes.flatMap(({ problems }) => problems);
  const skipped: UncomparedSegment[] = (snapshot?.foreign ?? []).map(({ label }) => {
    return { segment: label, reason: 'foreign_id', stray: [] };
  });
  const segments: ComparedSegment[] = [];
  const chosen = segmentNames(nodes, snapshot).map((name) => {
    const record = snapshot?.byName.get(name) ?? null;
    return { name, record, expected: expectedNodes(name, record, nodes, snapshot) };
  });
  const readings = await readCopies(disk, chosen, runner);
  const supplied = new Set(nodes.map(({ node }) => node));
  for (const { name, record, expected } of chosen) {
    const stray = nodes
      .filter((node) => !expected.includes(node) && node.copies.has(name))
      .map(({ node }) => node);
    if (expected.length === 0) {
      skipped.push({ segment: name, reason: 'replica_not_supplied', stray });
      continue;
    }
    const copies = new Map<string, CopyFacts>();
    for (const node of expected) {
      const { facts, problems } = readingOf(node, name, readings);
      copies.set(node.node, facts);
      errors.push(...problems);
    }
    const facts = { control: record && controlFacts(record), unlisted: isUnlisted(name, snapshot) };
    segments.push({
      segment: name,
      ...facts,
      ...judgeSegment({ ...facts, copies }),
      offSeal: nodesOffSeal({ ...facts, copies }),
      stray,
      notSupplied: record?.replicaSet.filter((replica) => !supplied.has(replica)) ?? [],
      copies,
    });
  }
  const isComplete = skipped.length === 0 && errors.length === 0;
  return {
    segments,
    skipped,
    errors,
    summary: summariseComparison(segments, snapshot !== null, isComplete),
  };
}

function controlFacts(record: SegmentRecord): ControlFacts {
  return record.state === 'sealed'
    ? { state: 'sealed', length: record.length, byteSize: record.byteSize }
    : { state: 'active', length: null, byteSize: null };
}

/** Reads every copy that is compared. @returns the readings by the copies' paths. */
async function readCopies(
  disk: Disk,
  chosen: readonly { readonly name: string; readonly expected: readonly NodeListing[] }[],
  runner: JobRunner,
): Promise<Map<string, CopyReading>> {
  const paths = chosen.flatMap(({ name, expected }) =>
    expected.flatMap(({ copies }) => copies.get(name) ?? []),
  );
  const jobs = paths.map((path) => ({ path, bytes: copyBytes(disk, path), input: { path } }));
  const outcomes = await runner.run('compare', jobs);
  return new Map(
    outcomes.map((outcome, at) => [
      paths[at] ?? '',
      outcome.ok ? outcome.value : unreadable([outcome.problem]),
    ]),
  );
}

/** Size for the progress line; a copy that cannot be listed is answered when it is read. */
function copyBytes(disk: Disk, path: string): number {
  try {
    const { logFiles } = listCopyFiles(disk, path);
    return logFiles.reduce((sum, file) => sum + disk.stat(file.path).size, 0);
  } catch {
    return 0;
  }
}

function readingOf(
  { copies, complete }: NodeListing,
  name: string,
  readings: ReadonlyMap<string, CopyReading>,
): CopyReading {
  const path = copies.get(name);
  const reading = readings.get(path ?? '');
  if (reading) return reading;
  const isAbsent = path === undefined && complete;
  return { facts: unmeasured(isAbsent ? 'missing' : 'unreadable'), problems: [] };
}
