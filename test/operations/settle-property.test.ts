import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { runToEnd } from '../../src/format/walk.js';
import { sealAtSteps } from '../../src/operations/seal-at.js';
import type { CopySpec, MadeCopy } from '../helpers/copies.js';
import { frames, makeCopy, quickDirectory, rotAt, tornAt } from '../helpers/copies.js';
import { withoutProcesses } from '../helpers/quiet-disk.js';
import { restoreAll, settle } from '../helpers/settling.js';
import { readTree } from '../helpers/tree.js';

const tails = fc.oneof(
  fc.constant(Buffer.alloc(0)),
  fc.integer({ min: 1, max: 90 }).map((length) => Buffer.alloc(length)),
  fc.constant(tornAt(50)),
  fc.constant(Buffer.concat([tornAt(50), Buffer.alloc(40)])),
  fc.constant(rotAt(50)),
  fc.uint8Array({ minLength: 1, maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
);

const file = fc.record({
  records: fc.integer({ min: 0, max: 4 }),
  /** Offsets that are missing in front of it. */
  gap: fc.constantFrom(0, 0, 0, 0, 1),
  tail: fc.oneof(
    { weight: 3, arbitrary: fc.constant(Buffer.alloc(0)) },
    { weight: 1, arbitrary: tails },
  ),
  sealed: fc.boolean(),
});

const spec: fc.Arbitrary<CopySpec> = fc
  .record({
    start: fc.integer({ min: 0, max: 3 }),
    length: fc.integer({ min: 0, max: 9 }),
    sizeError: fc.constantFrom(0, 0, 0, 0, 1),
    files: fc.array(file, { minLength: 1, maxLength: 4 }),
    lastTail: tails,
    fenced: fc.boolean(),
  })
  .map(({ start, length, sizeError, files, lastTail, fenced }) => {
    let base = start;
    const made = files.map(({ records, gap, tail, sealed }, at) => {
      base += at === 0 ? 0 : gap;
      const one = { base, records, sealed, tail: at === files.length - 1 ? lastTail : tail };
      base += records;
      return one;
    });
    // Two files cannot have one name: an empty one is followed by nothing.
    const distinct = made.filter(
      ({ base: own }, at) => made.findLastIndex((other) => other.base === own) === at,
    );
    const end = start + length;
    const byteSize = frames(start, end).length + sizeError;
    const others = fenced ? { SEALED: '' } : {};
    return { start, end, byteSize, files: distinct, others };
  });

/** The records from the start on that the copy's files hold whole, one after the other. */
function heldFrom(copy: MadeCopy): Buffer {
  const start = Number(copy.seal.startOffset);
  const end = Number(copy.seal.endOffset);
  let held = start;
  let bytes = Buffer.alloc(0);
  for (const name of readdirSync(copy.directory)
    .filter((entry) => entry.endsWith('.log'))
    .sort()) {
    if (Number(name.slice(0, 20)) !== held) break;
    const content = readFileSync(join(copy.directory, name));
    let at = 0;
    while (held < end) {
      const next = frames(held, held + 1);
      if (!content.subarray(at, at + next.length).equals(next)) break;
      at += next.length;
      held++;
    }
    bytes = Buffer.concat([bytes, content.subarray(0, at)]);
  }
  return bytes;
}

test('whatever a copy holds: its records below the end stay, a second run does nothing, and all can be undone', () => {
  const root = quickDirectory();
  fc.assert(
    fc.property(spec, (made) => {
      rmSync(root, { recursive: true, force: true });
      const copy = makeCopy(root, made);
      const before = readTree(copy.logRoot);
      const held = heldFrom(copy);
      const options = { apply: false, quarantine: join(root, 'quarantine'), dropRot: false };
      const dry = runToEnd(
        sealAtSteps(withoutProcesses(nodeDisk), copy, { ...options, assumeUnused: false }),
      );
      expect(readTree(copy.logRoot)).toEqual(before);
      const result = settle(nodeDisk, copy);
      expect({ ...result, quarantine: null }).toEqual(dry);
      expect(result.error).toBeNull();

      const left = heldFrom(copy);
      expect(left.equals(held)).toBe(true);
      const files = readdirSync(copy.directory).filter((name) => name.endsWith('.log'));
      const leftBytes = files.reduce(
        (sum, name) => sum + readFileSync(join(copy.directory, name)).length,
        0,
      );
      if (result.outcome === 'trimmed' || result.outcome === 'fenced') {
        expect(leftBytes).toBe(Number(copy.seal.byteSize));
        expect(
          left.equals(frames(Number(copy.seal.startOffset), Number(copy.seal.endOffset))),
        ).toBe(true);
      }
      if (result.outcome === 'short') expect(leftBytes).toBe(held.length);
      if (result.outcome === 'damaged' || result.outcome === 'confirmed') {
        expect(result.droppedBytes).toBe(0);
      }
      if (result.fenced) expect(existsSync(join(copy.directory, 'SEALED'))).toBe(true);

      const settled = readTree(root);
      expect(settle(nodeDisk, copy).changedFiles).toBe(0);
      expect(readTree(root)).toEqual(settled);
      restoreAll(nodeDisk, copy);
      expect(readTree(copy.logRoot)).toEqual(before);
    }),
    { numRuns: 300 },
  );
});
