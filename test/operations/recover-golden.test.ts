import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/disk/node-disk.js';
import type { ExpectedRecovery, GoldenCase } from '../helpers/golden.js';
import { goldenCases } from '../helpers/golden.js';
import { quickDirectory } from '../helpers/copies.js';
import { goldenCopy, recoverCopy, restoreAll } from '../helpers/recovering.js';
import { readTree } from '../helpers/tree.js';

const variants = (['recover', 'recover_preallocated'] as const).map((key) => ({
  name: key,
  expectedOf: ({ expected }: GoldenCase): ExpectedRecovery => expected[key],
}));

describe.each(variants)('$name', ({ expectedOf }) => {
  test.each(goldenCases.map((golden) => [golden.name, golden] as const))(
    '%s: the file is as a restart of the node leaves it, and comes back',
    (_, golden) => {
      const expected = expectedOf(golden);
      const copy = goldenCopy(quickDirectory(), golden);
      const before = readTree(copy.logRoot);
      const options = { preallocBytes: expected.prealloc_bytes, discardRecoverable: true };

      const planned = recoverCopy(nodeDisk, copy, { ...options, apply: false });
      expect(readTree(copy.logRoot)).toEqual(before);
      const report = recoverCopy(nodeDisk, copy, options);
      expect({ ...report, quarantine: null }).toEqual(planned);
      const after = readFileSync(join(copy.directory, basename(golden.logPath)));
      expect(report).toMatchObject({
        classification: expected.classification,
        action: expected.action,
        records: expected.records,
        afterBytes: expected.after_bytes,
      });
      expect(after).toHaveLength(expected.after_bytes);
      expect(createHash('sha256').update(after).digest('hex')).toBe(expected.after_sha256);

      const isChanged = !readFileSync(golden.logPath).equals(after);
      expect(existsSync(join(copy.root, 'quarantine'))).toBe(isChanged);
      if (!isChanged) return;
      restoreAll(nodeDisk, copy);
      expect(readTree(copy.logRoot)).toEqual(before);
    },
  );

  test.each(
    goldenCases
      .filter(({ expected }) => expected.beyond.frames > 0)
      .map((golden) => [golden.name, golden] as const),
  )('%s: whole records behind the damage are not discarded', (_, golden) => {
    const { prealloc_bytes: preallocBytes, action } = expectedOf(golden);
    const copy = goldenCopy(quickDirectory(), golden);
    const before = readTree(copy.root);
    const report = recoverCopy(nodeDisk, copy, { preallocBytes });
    expect(report.outcome).toBe(action === 'discard_tail' ? 'refused' : 'preserved');
    expect(readTree(copy.root)).toEqual(before);
  });
});

test('the cases hold records behind a tail that a restart discards', () => {
  const lost = goldenCases.filter(
    ({ expected }) => expected.beyond.frames > 0 && expected.recover.action === 'discard_tail',
  );
  expect(lost.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['rot-length-up', 'window-ends-in-zero']),
  );
});
