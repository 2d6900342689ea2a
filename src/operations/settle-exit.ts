import type { SealOutcome } from '../policy/seal-decision.js';
import type { SettleAnswer } from './settle.js';

type Code = 0 | 1 | 2 | 3 | 4;

const CODE_OF: Readonly<Record<SealOutcome, Code>> = {
  trimmed: 0,
  fenced: 0,
  confirmed: 0,
  short: 1,
  damaged: 1,
  failed: 3,
  refused: 4,
  stale: 4,
};

/** The exit codes that an answer asks for: work left over is a finding, also the work of a dry run. */
export function exitCodesOf(answer: SettleAnswer): Code[] {
  const { applied, results, remaining, measured, waiting, errors } = answer;
  const { shortCopies, orphanedFences } = answer;
  const isDue = !applied && results.some(({ changedFiles }) => changedFiles > 0);
  const isWorkLeft = isDue || remaining > 0 || (waiting > 0 && measured === 0);
  return [
    isWorkLeft || (shortCopies ?? 0) + (orphanedFences ?? 0) > 0 ? 1 : 0,
    ...results.map(({ outcome }) => CODE_OF[outcome]),
    ...errors.map(({ exitCode }) => exitCode),
  ];
}
