import type {
  CompareVerdict,
  CopyFacts,
  SegmentCopies,
  SegmentJudgement,
} from './compare-verdict.js';
import { COMPARE_VERDICTS, fileLayout } from './compare-verdict.js';

export interface JudgedSegment extends SegmentCopies, SegmentJudgement {
  readonly offSeal: readonly string[];
  /** Replicas whose node was not given. */
  readonly notSupplied: readonly string[];
}

export interface CompareSummary {
  readonly segments: number;
  /** Whether all files of all copies are the same to the byte; `null` if nothing was compared. */
  readonly wholeFile: 'same' | 'differs' | null;
  /** Whether all copies hold the same records; `null` if nothing was compared. */
  readonly content: 'same' | 'differs' | null;
  /** Whether the copies are what the metadata says; `unavailable` without metadata. */
  readonly control: 'ok' | 'mismatch' | 'unavailable';
  /** How many segments got each verdict. */
  readonly verdicts: Readonly<Record<CompareVerdict, number>>;
  readonly passed: boolean;
}

/**
 * Sums up a comparison. It passes only if copies were compared, with each other and with the metadata, and
 * nothing disagreed; what was not compared never passes.
 *
 * @param complete whether everything that was to be compared was.
 */
export function summariseComparison(
  segments: readonly JudgedSegment[],
  hasMetadata: boolean,
  complete: boolean,
): CompareSummary {
  const compared = segments.filter(({ copies }) => copies.size > 1);
  const sameIn = (trait: (copy: CopyFacts) => string): 'same' | 'differs' | null => {
    if (compared.length === 0) return null;
    return compared.every(({ copies }) => allEqual([...copies.values()], trait))
      ? 'same'
      : 'differs';
  };
  const mismatch = segments.some(
    ({ unlisted, verdict, offSeal }) => offSeal.length > 0 || (unlisted && verdict !== 'benign'),
  );
  const control = !hasMetadata ? 'unavailable' : mismatch ? 'mismatch' : 'ok';
  const agree = segments.every(
    ({ verdict, notSupplied }) =>
      (verdict === 'identical' || verdict === 'benign') && notSupplied.length === 0,
  );
  return {
    segments: segments.length,
    wholeFile: sameIn(fileLayout),
    content: sameIn(({ digest, records }) => ((records ?? 0) === 0 ? '' : (digest ?? ''))),
    control,
    verdicts: countVerdicts(segments),
    passed: complete && compared.length > 0 && agree && control === 'ok',
  };
}

/** A copy that could not be read equals no other. */
function allEqual(copies: readonly CopyFacts[], trait: (copy: CopyFacts) => string): boolean {
  const [first] = copies;
  return copies.every(
    (copy) => copy.status !== 'unreadable' && first !== undefined && trait(copy) === trait(first),
  );
}

function countVerdicts(segments: readonly JudgedSegment[]): Record<CompareVerdict, number> {
  const count = (verdict: CompareVerdict): [CompareVerdict, number] => [
    verdict,
    segments.filter((segment) => segment.verdict === verdict).length,
  ];
  return Object.fromEntries(COMPARE_VERDICTS.map(count)) as Record<CompareVerdict, number>;
}
