import { cpSync, existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endOffset } from '../../src/control-plane/segment-record.js';
import { readSnapshot } from '../../src/control-plane/snapshot.js';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { runToEnd } from '../../src/format/walk.js';
import type { CopyToSeal } from '../../src/operations/look-at-copy.js';
import { inspect } from '../../src/operations/inspect.js';
import { sealAtSteps } from '../../src/operations/seal-at.js';
import { fixtures } from '../helpers/golden.js';
import { readTree } from '../helpers/tree.js';
import { tempDirectory } from '../helpers/temp.js';

interface ExpectedCopy {
  kind: string;
  dir: string;
  outcome: string;
  held: number;
  dropped: number;
  byte_size: number;
  stored: number;
  length: number;
  good_hex: string;
}

const clusterRoot = join(fixtures, 'golden-cluster');
const expected = JSON.parse(readFileSync(join(clusterRoot, 'expected.json'), 'utf8')) as {
  copies: Record<string, ExpectedCopy>;
};

const snapshot = readSnapshot([
  { name: 'metadata.json', text: readFileSync(join(clusterRoot, 'metadata.json'), 'utf8') },
]);

function copyToSeal(root: string, key: string, dir: string): CopyToSeal {
  const [segment = '', replica = ''] = key.split('/');
  const listed = snapshot.byName.get(segment);
  if (listed?.state !== 'sealed') throw new Error(`${segment} is not sealed in the metadata`);
  const { startOffset, byteSize } = listed;
  const seal = { startOffset, endOffset: endOffset(listed), byteSize };
  const logRoot = join(root, dir.split('/')[0] ?? '');
  return { replica, segment, logRoot, directory: join(root, dir), seal, plannedBytes: null };
}

const present = Object.entries(expected.copies).filter(([, { kind }]) => kind !== 'missing');

describe('seal_at on each copy of the golden cluster', () => {
  test.each(present)('%s', async (key, want) => {
    const root = tempDirectory();
    const [node = ''] = want.dir.split('/');
    cpSync(join(clusterRoot, want.dir), join(root, want.dir), { recursive: true });
    const quarantine = join(root, 'quarantine');
    const copy = copyToSeal(root, key, want.dir);
    const before = readTree(join(root, node));
    const options = { apply: false, quarantine, dropRot: false, assumeUnused: false };
    const dry = runToEnd(sealAtSteps(nodeDisk, copy, options));
    expect(readTree(join(root, node))).toEqual(before);

    const result = runToEnd(sealAtSteps(nodeDisk, copy, { ...options, apply: true }));
    expect(result).toMatchObject({
      outcome: want.outcome,
      heldRecords: want.held,
      droppedRecords: want.dropped,
      error: null,
    });
    expect({ ...dry, quarantine: null }).toEqual({ ...result, quarantine: null });
    expect(existsSync(join(copy.directory, 'SEALED'))).toBe(true);
    const left = bytesOf(copy.directory);
    if (want.outcome === 'trimmed' || want.outcome === 'fenced') {
      expect(left.toString('hex')).toBe(want.good_hex);
      expect(result.byteSize).toBe(want.byte_size);
      const { summary } = await inspect(nodeDisk, [copy.directory], { preallocBytes: 0 });
      expect(summary).toMatchObject({ torn: 0, rot: 0, blank: 0, badIndex: 0 });
    }
    if (want.outcome === 'confirmed') {
      expect(left.subarray(0, want.byte_size).toString('hex')).toBe(want.good_hex);
      expect(left.length).toBe(want.stored);
    }
    if (want.outcome === 'damaged') expect(left.length).toBe(want.stored);

    const settled = readTree(root);
    const again = runToEnd(sealAtSteps(nodeDisk, copy, { ...options, apply: true }));
    const settledOnce = want.outcome === 'trimmed' ? 'fenced' : want.outcome;
    expect(again).toMatchObject({ outcome: settledOnce, quarantine: null, droppedBytes: 0 });
    expect(readTree(root)).toEqual(settled);
  });
});

function bytesOf(directory: string): Buffer {
  const names = readdirSync(directory).filter((name) => name.endsWith('.log'));
  return Buffer.concat(names.sort().map((name) => readFileSync(join(directory, name))));
}
