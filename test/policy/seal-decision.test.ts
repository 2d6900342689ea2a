import { describe, expect, test } from 'vitest';
import type { ScannedLogFile, Seal } from '../../src/policy/seal-decision.js';
import { decideSeal } from '../../src/policy/seal-decision.js';

const RECORD_BYTES = 41;

/** A file whose records all take 41 bytes, scanned against an end of 10. */
function file(base: number, records: number, more: Partial<ScannedLogFile> = {}): ScannedLogFile {
  const recordsBelowEnd = Math.max(0, Math.min(records, 10 - base));
  const validBytes = records * RECORD_BYTES;
  const isClean = (more.classification ?? 'clean') === 'clean';
  return {
    name: `${String(base).padStart(20, '0')}.log`,
    baseOffset: BigInt(base),
    records,
    validBytes,
    sizeBytes: validBytes + (isClean ? 0 : 7),
    recordsBelowEnd,
    bytesBelowEnd: recordsBelowEnd * RECORD_BYTES,
    classification: 'clean',
    framesBeyond: 0,
    ...more,
  };
}

/** Sealed from 0 to 10. */
const seal: Seal = { startOffset: 0n, endOffset: 10n, byteSize: 410n };
const blank = { classification: 'blank' } as const;
const torn = { classification: 'torn' } as const;
const tornBeforeFrames = { classification: 'torn', framesBeyond: 2 } as const;
const rot = { classification: 'rot' } as const;

describe('the outcome of seal_at', () => {
  test.each<[string, ScannedLogFile[], string, number, number]>([
    // what, files, outcome, held, dropped
    ['more records', [file(0, 12)], 'trimmed', 12, 2],
    ['more records and rot', [file(0, 12, rot)], 'trimmed', 12, 2],
    ['more records in another file', [file(0, 10), file(10, 1)], 'trimmed', 11, 1],
    ['rot at the end, and records behind it', [file(0, 10, rot), file(10, 1)], 'trimmed', 11, 1],
    ['a torn file past the end', [file(0, 11), file(11, 2, torn)], 'trimmed', 13, 3],
    ['a gap past the end', [file(0, 11), file(20, 2)], 'trimmed', 13, 3],
    ['exactly the records', [file(0, 10)], 'fenced', 10, 0],
    ['a blank tail', [file(0, 10, blank)], 'fenced', 10, 0],
    ['a torn tail', [file(0, 10, torn)], 'fenced', 10, 0],
    ['a torn tail with frames behind it', [file(0, 10, tornBeforeFrames)], 'fenced', 10, 0],
    ['a blank tail before the last file', [file(0, 4, blank), file(4, 6)], 'fenced', 10, 0],
    ['an empty file at the end', [file(0, 10), file(10, 0)], 'fenced', 10, 0],
    ['rot behind the records', [file(0, 10, rot)], 'confirmed', 10, 0],
    ['rot in a file past the records', [file(0, 10), file(10, 0, rot)], 'confirmed', 10, 0],
    ['fewer records', [file(0, 9)], 'short', 9, 0],
    ['fewer records, blank', [file(0, 9, blank)], 'short', 9, 0],
    ['fewer records, torn', [file(0, 9, torn)], 'short', 9, 0],
    ['fewer records in two files', [file(0, 4), file(4, 1)], 'short', 5, 0],
    ['nothing but zeros', [file(0, 0, blank)], 'short', 0, 0],
    ['rot below the end', [file(0, 9, rot)], 'damaged', 9, 0],
    ['torn below the end, frames behind it', [file(0, 9, tornBeforeFrames)], 'damaged', 9, 0],
    ['torn before the last file', [file(0, 4, torn), file(4, 6)], 'damaged', 4, 0],
    ['rot before the last file', [file(0, 4, rot), file(5, 6)], 'damaged', 4, 0],
    ['a gap before the last file', [file(0, 4), file(5, 6)], 'damaged', 4, 0],
    ['a gap up to the end', [file(0, 4), file(10, 6)], 'damaged', 4, 0],
    ['a blank file in the middle', [file(0, 4), file(4, 0, blank), file(5, 6)], 'damaged', 4, 0],
    ['two files with the same records', [file(0, 10), file(5, 5)], 'damaged', 10, 0],
    ['a start past the segment', [file(1, 9)], 'damaged', 0, 0],
  ])('%s', (_, files, outcome, heldRecords, droppedRecords) => {
    expect(decideSeal(files, seal, false)).toMatchObject({ outcome, heldRecords, droppedRecords });
  });

  test('rot behind the records goes only if it is asked for', () => {
    const decision = decideSeal([file(0, 10, rot)], seal, true);
    expect(decision).toMatchObject({ outcome: 'fenced', droppedRecords: 0, fence: true });
    expect(decision.keep.map(({ sizeBytes }) => sizeBytes)).toEqual([410]);
  });

  test('records that do not take the recorded bytes are not the seal`s: nothing is touched', () => {
    for (const files of [[file(0, 12)], [file(0, 10)], [file(0, 10, rot)]]) {
      const decision = decideSeal(files, { ...seal, byteSize: 409n }, true);
      expect(decision).toMatchObject({ outcome: 'damaged', fence: false, remove: [] });
      expect(decision.reason).toContain('410 bytes');
      expect(decision.keep.every(({ file: kept, sizeBytes }) => kept.sizeBytes === sizeBytes)).toBe(
        true,
      );
    }
    const tooLarge = decideSeal([file(0, 9)], { ...seal, byteSize: 369n }, false);
    expect(tooLarge).toMatchObject({ outcome: 'damaged', fence: false });
  });

  test('a segment sealed at length 0 is settled at its start', () => {
    const empty = { startOffset: 10n, endOffset: 10n, byteSize: 0n };
    const decision = decideSeal([file(10, 2), file(12, 1)], empty, false);
    expect(decision).toMatchObject({ outcome: 'trimmed', heldRecords: 3, droppedRecords: 3 });
    expect(decision.keep.map(({ sizeBytes }) => sizeBytes)).toEqual([0]);
    expect(decision.remove.map(({ name }) => name)).toEqual(['00000000000000000012.log']);
    expect(decideSeal([file(10, 0, blank)], empty, false).outcome).toBe('fenced');
    expect(decideSeal([file(10, 0, rot)], empty, false).outcome).toBe('confirmed');
    expect(decideSeal([file(11, 0)], empty, false).outcome).toBe('damaged');
  });

  test('an end below the start is refused, and a copy without files is no copy', () => {
    expect(decideSeal([file(0, 1)], { ...seal, startOffset: 11n }, false).outcome).toBe('refused');
    expect(decideSeal([], seal, false)).toMatchObject({ outcome: 'stale', fence: false });
  });
});
