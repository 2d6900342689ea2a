import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { malachi, parseAnswer } from '../helpers/cli.js';
import { clusterRoot, metadataPath } from '../helpers/cluster.js';
import type { PlainFile } from '../helpers/independent.js';
import { md5, readPlainCopy, recordDigest } from '../helpers/independent.js';

interface Listed {
  seq: number;
  state: string;
  length: number | null;
  replica_set: string[];
}
interface Topic {
  name: string;
  ranges: { seq: number; segments: Listed[] }[];
}
interface Answer {
  schema: string;
  segments: {
    segment: string;
    control: { state: string; length: number | null } | null;
    verdict: string;
    nodes: string[];
    copies: Record<string, Record<string, unknown>>;
  }[];
  summary: Record<string, unknown>;
}

const { topics } = parseAnswer<{ topics: Topic[] }>(readFileSync(metadataPath, 'utf8'));
const listed = new Map<string, Listed>();
for (const { name, ranges } of topics) {
  for (const range of ranges) {
    for (const segment of range.segments) {
      listed.set(`${name}-r${range.seq}-s${segment.seq}`, segment);
    }
  }
}

function copyOf(node: string, segment: string): PlainFile[] | null {
  const root = join(clusterRoot, node.replace('malachi@', ''));
  const paths = ['shard_0', 'shard_1', '.'].map((parent) => join(root, parent, segment));
  return readPlainCopy(paths.find((path) => existsSync(path)) ?? '');
}

const recordsIn = (files: PlainFile[] | null): number =>
  (files ?? []).reduce((sum, { records }) => sum + records, 0);

/** The verdict by the rules as they are written down, the first that holds. */
function verdictFromBytes(segment: string): string {
  const control = listed.get(segment);
  const nodes = control?.replica_set ?? ['malachi@n1', 'malachi@n2', 'malachi@n3'];
  const copies = nodes.map((node) => copyOf(node, segment));
  const counts = new Set(copies.map(recordsIn));
  if (copies.some((files) => files?.some(({ damaged }) => damaged))) return 'damaged';
  if (copies.includes(null)) {
    return Math.max(...counts) === 0 && (control?.length ?? 0) === 0 ? 'benign' : 'missing';
  }
  const present = copies.filter((files) => files !== null);
  if (present.some((files) => files.length === 0)) return 'empty';
  if (!control) return 'extra';
  if (counts.size > 1) return 'lagging';
  if (control.state === 'sealed' && !counts.has(control.length ?? -1)) return 'length_mismatch';
  if (new Set(present.map(recordDigest)).size > 1) return 'content';
  const files = present.map((copy) =>
    copy.map(({ base, bytes }) => `${base} ${md5(bytes)}`).join(),
  );
  return new Set(files).size > 1 ? 'benign' : 'identical';
}

test('the golden cluster, segment by segment, as worked out from its bytes', () => {
  const nodes = ['n1', 'n2', 'n3'].flatMap((n) => [
    '--node',
    `malachi@${n}=${join(clusterRoot, n)}`,
  ]);
  const { status, stdout, stderr } = malachi([
    'compare',
    '--json',
    '--metadata',
    metadataPath,
    ...nodes,
  ]);
  expect(stderr).toBe('');
  expect(status).toBe(1);
  const answer = parseAnswer<Answer>(stdout);
  expect(answer.schema).toBe('malachi.compare/1');

  expect(answer.segments.map(({ segment }) => segment).sort()).toEqual(
    [...listed.keys(), 'gone-r0-s0'].sort(),
  );
  for (const { segment, control, verdict, copies } of answer.segments) {
    expect([segment, verdict]).toEqual([segment, verdictFromBytes(segment)]);
    const { state, length } = listed.get(segment) ?? {};
    expect(control && { state: control.state, length: control.length }).toEqual(
      state === undefined ? null : { state, length },
    );
    for (const [node, copy] of Object.entries(copies)) {
      const files = copyOf(node, segment);
      if (files === null) {
        expect(copy).toMatchObject({ status: 'missing', records: null, digest: null, files: [] });
        continue;
      }
      expect(copy).toMatchObject({
        records: recordsIn(files),
        bytes: files.reduce((sum, { valid }) => sum + valid, 0),
        digest: recordDigest(files),
        trailing: files.reduce(
          (sum, { bytes, valid }) =>
            sum + bytes.subarray(valid).filter((byte) => byte !== 0).length,
          0,
        ),
        files: files.map(({ bytes, records, valid }) => ({
          size: bytes.length,
          md5: md5(bytes),
          records,
          valid,
        })),
      });
    }
  }
  expect(answer.summary).toMatchObject({
    segments: listed.size + 1,
    whole_file: 'differs',
    content: 'differs',
    control: 'mismatch',
  });
});
