import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  inspect,
  nodeDisk,
  readSnapshot,
  SealedOverrun,
  SegmentStore,
  segmentFiles,
} from '../src/index.js';
import { fixtures } from './helpers/golden.js';
import { tempDirectory } from './helpers/temp.js';

test('a segment written through the library reads back, and inspect calls it clean', async () => {
  const files = segmentFiles(tempDirectory(), 7n);
  const store = SegmentStore.open(files);
  const value = Buffer.from('v');
  for (let n = 0; n < 3; n++) {
    store.append({ timestamp: 1n, key: null, value, headers: [] });
  }
  store.sync();
  const offsets = store.read(8n).records.map((record) => record.offset);
  store.close();
  expect(offsets).toEqual([8n, 9n]);
  const { files: reports } = await inspect(nodeDisk, [files.logPath]);
  expect(reports).toMatchObject([{ classification: 'clean', records: 3, nextOffset: 10n }]);
});

test('SealedOverrun.plan answers with the control plane’s end, in batches', () => {
  const name = join(fixtures, 'golden-cluster', 'metadata.json');
  const snapshot = readSnapshot([{ name, text: readFileSync(name, 'utf8') }]);
  const unsettled = ['malachi@n3', 'malachi@n1'].map((replica) => ({
    segment: { topic: 'Z', range: 0n, segment: 1n },
    replica,
  }));
  const [first, ...more] = SealedOverrun.plan(snapshot, unsettled, 1, null);
  expect(more).toEqual([]);
  expect(first).toMatchObject({ replica: 'malachi@n1', startOffset: 3n, endOffset: 5n });
});
