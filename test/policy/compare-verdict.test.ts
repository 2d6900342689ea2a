import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CompareSummary } from '../../src/policy/compare-summary.js';
import { summariseComparison } from '../../src/policy/compare-summary.js';
import type { ControlFacts, CopyFacts, SegmentCopies } from '../../src/policy/compare-verdict.js';
import { COMPARE_VERDICTS, judgeSegment, nodesOffSeal } from '../../src/policy/compare-verdict.js';

const BYTES = 41;

function copyWith(records: number, changes: Partial<CopyFacts> = {}): CopyFacts {
  const bytes = records * BYTES;
  const digest = `records 1 to ${records}`;
  const file = { baseOffset: 0n, size: bytes, md5: digest, records, valid: bytes };
  return {
    status: 'ok',
    fenced: false,
    records,
    bytes,
    digest,
    trailing: 0,
    files: [file],
    ...changes,
  };
}

const nothing = {
  fenced: null,
  records: null,
  bytes: null,
  digest: null,
  trailing: null,
  files: [],
};
const missing = copyWith(0, { ...nothing, status: 'missing' });
const unreadable = copyWith(0, { ...nothing, status: 'unreadable' });
const empty = copyWith(0, { status: 'empty', digest: 'none', files: [] });
const torn = copyWith(3, { status: 'torn', trailing: 7 });
const active: ControlFacts = { state: 'active', length: null, byteSize: null };
const sealed = (length: number): ControlFacts => ({
  state: 'sealed',
  length: BigInt(length),
  byteSize: BigInt(length * BYTES),
});

/** Copies by node: a, b, c… */
function segment(
  control: ControlFacts | null,
  copies: readonly CopyFacts[],
  unlisted = false,
): SegmentCopies {
  const named = copies.map((copy, at): [string, CopyFacts] => ['abcdef'.charAt(at), copy]);
  return { control, unlisted, copies: new Map(named) };
}

const judge = (...of: Parameters<typeof segment>): [string, string] => {
  const { verdict, nodes } = judgeSegment(segment(...of));
  return [verdict, nodes.join('')];
};

const otherFiles = (records: number): CopyFacts => {
  const copy = copyWith(records);
  return { ...copy, files: copy.files.map((file) => ({ ...file, md5: 'with a blank tail' })) };
};

describe('one verdict a segment, the first that holds', () => {
  const other = copyWith(3, { digest: 'other records' });
  const garbage = copyWith(3, { trailing: 1 });
  test.each<[string, string, ControlFacts | null, CopyFacts[]]>([
    ['damaged', 'b', sealed(3), [copyWith(3), torn, missing]],
    ['damaged', 'a', sealed(3), [copyWith(3, { status: 'bad_index' }), copyWith(3)]],
    ['damaged', 'c', null, [copyWith(3), missing, unreadable]],
    ['trailing_garbage', 'b', sealed(3), [copyWith(3), garbage, missing]],
    ['missing', 'c', sealed(3), [copyWith(3), empty, missing]],
    ['missing', 'ab', sealed(3), [missing, missing]],
    ['empty', 'b', sealed(3), [copyWith(2), empty, copyWith(3)]],
    ['lagging', 'c', sealed(3), [copyWith(3), copyWith(3), copyWith(2)]],
    ['lagging', 'c', sealed(2), [copyWith(3), copyWith(3), copyWith(2)]],
    ['lagging', 'ab', active, [copyWith(3), copyWith(2)]],
    ['length_mismatch', 'ab', sealed(2), [copyWith(3), other]],
    ['content', 'b', sealed(3), [copyWith(3), other, copyWith(3)]],
    ['content', 'ab', null, [copyWith(3), other]],
    ['benign', 'c', sealed(3), [copyWith(3), copyWith(3), otherFiles(3)]],
    ['identical', '', sealed(3), [copyWith(3), copyWith(3)]],
    ['identical', '', active, [copyWith(3), copyWith(3)]],
    ['identical', '', sealed(0), [copyWith(0), copyWith(0)]],
  ])('%s on %s', (verdict, nodes, control, copies) => {
    expect(judge(control, copies)).toEqual([verdict, nodes]);
  });

  test.each([active, sealed(0), null])(
    'missing is benign where no record is, or is due',
    (control) => {
      expect(judge(control, [copyWith(0), missing, empty])).toEqual(['benign', 'b']);
    },
  );

  test('missing is not benign where the seal has a record, or a copy does', () => {
    expect(judge(sealed(1), [copyWith(0), missing])).toEqual(['missing', 'b']);
    expect(judge(active, [copyWith(1), missing])).toEqual(['missing', 'b']);
  });

  test('a segment that the metadata does not list is extra, once every node has it', () => {
    expect(judge(null, [copyWith(1), copyWith(2)], true)).toEqual(['extra', 'ab']);
    expect(judge(null, [copyWith(1), missing], true)).toEqual(['missing', 'b']);
  });
});

test('the minority is named: whatever is outside the one largest group', () => {
  const counts = fc.array(fc.nat(3), { minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(counts, (records) => {
      const [verdict, nodes] = judge(
        active,
        records.map((count) => copyWith(count)),
      );
      const sizeOf = (count: number) => records.filter((other) => other === count).length;
      const largest = Math.max(...records.map(sizeOf));
      const leaders = new Set(records.filter((count) => sizeOf(count) === largest));
      const expected = records
        .map((count, at) => (leaders.size === 1 && leaders.has(count) ? '' : 'abcdef'.charAt(at)))
        .join('');
      const agree = new Set(records).size === 1;
      expect([verdict, nodes]).toEqual(agree ? ['identical', ''] : ['lagging', expected]);
    }),
  );
});

test('records are off the seal by number or by bytes; what could not be read is not', () => {
  const larger = copyWith(3, { bytes: 3 * BYTES + 1 });
  const copies = [copyWith(3), copyWith(2), larger, missing, unreadable];
  expect(nodesOffSeal(segment(sealed(3), copies))).toEqual(['b', 'c', 'd']);
  expect(nodesOffSeal(segment(sealed(0), [missing]))).toEqual([]);
  expect(nodesOffSeal(segment(active, copies))).toEqual([]);
});

describe('the summary', () => {
  const summarise = (
    segments: readonly SegmentCopies[],
    options: { metadata?: boolean; complete?: boolean; notSupplied?: string[] } = {},
  ): CompareSummary => {
    const { metadata = true, complete = true, notSupplied = [] } = options;
    const judged = segments.map((one) => {
      return { ...one, ...judgeSegment(one), offSeal: nodesOffSeal(one), notSupplied };
    });
    return summariseComparison(judged, metadata, complete);
  };
  const good = segment(sealed(3), [copyWith(3), copyWith(3)]);

  test('all the same passes', () => {
    expect(summarise([good])).toMatchObject({
      segments: 1,
      wholeFile: 'same',
      content: 'same',
      control: 'ok',
      passed: true,
    });
  });

  test('the same records in other files pass, and so does nothing in fewer files', () => {
    const benign = segment(sealed(3), [copyWith(3), otherFiles(3)]);
    const none = segment(active, [copyWith(0), missing]);
    for (const one of [benign, none]) {
      expect(summarise([good, one])).toMatchObject({
        wholeFile: 'differs',
        content: 'same',
        passed: true,
      });
    }
  });

  test('nothing to compare never passes', () => {
    expect(summarise([])).toMatchObject({ wholeFile: null, content: null, passed: false });
    const single = segment(sealed(3), [copyWith(3)]);
    expect(summarise([single])).toMatchObject({ content: null, control: 'ok', passed: false });
    expect(summarise([single, good]).passed).toBe(true);
  });

  test('without metadata the control is unavailable, and that never passes', () => {
    const blind = segment(null, [copyWith(3), copyWith(3)]);
    expect(summarise([blind], { metadata: false })).toMatchObject({
      content: 'same',
      control: 'unavailable',
      passed: false,
    });
  });

  test('what was left out never passes', () => {
    expect(summarise([good], { complete: false }).passed).toBe(false);
    expect(summarise([good], { notSupplied: ['malachi@n3'] }).passed).toBe(false);
  });

  test('equal copies whose bytes are not those of the seal are a mismatch', () => {
    const larger = copyWith(3, { bytes: 3 * BYTES + 1 });
    expect(summarise([segment(sealed(3), [larger, larger])])).toMatchObject({
      content: 'same',
      control: 'mismatch',
      passed: false,
    });
  });

  test('a copy that could not be read equals none, not even another one', () => {
    const blind = segment(active, [unreadable, unreadable]);
    expect(summarise([blind])).toMatchObject({
      wholeFile: 'differs',
      content: 'differs',
      passed: false,
    });
  });

  test('every verdict is counted', () => {
    const { verdicts } = summarise([good, segment(sealed(2), [copyWith(3), copyWith(3)])]);
    expect(Object.keys(verdicts)).toEqual([...COMPARE_VERDICTS]);
    expect(verdicts).toMatchObject({ identical: 1, length_mismatch: 1, damaged: 0 });
  });
});
