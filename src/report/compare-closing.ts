import type { Comparison } from '../operations/compare.js';
import type { CompareVerdict } from '../policy/compare-verdict.js';
import { COMPARE_VERDICTS } from '../policy/compare-verdict.js';
import { safeText } from './safe-text.js';
import type { Style } from './style.js';
import { proseColumns } from './style.js';
import { count, number, sentenceList, wrap } from './words.js';

/** Of a list so many names are shown to a person; a program gets all. */
const SHOWN_NAMES = 10;

export function passes(verdict: CompareVerdict): boolean {
  return verdict === 'benign' || verdict === 'identical';
}

/** What the verdicts alone do not say: each thing once, with the segments that it is true of. */
export function compareRemarks({ segments, skipped, summary }: Comparison): string[] {
  const strays = gather(segments, ({ stray }) => stray);
  const missing = gather(segments, ({ notSupplied }) => notSupplied);
  const unsupplied = skipped.filter(({ reason }) => reason === 'replica_not_supplied');
  const foreign = skipped.filter(({ reason }) => reason === 'foreign_id');
  const namesOf = (list: typeof skipped): string => names(list.map(({ segment }) => segment));
  const lines = [
    ...[...strays].map(
      ([node, ids]) =>
        `${safeText(node)}: has a copy and is not of the replica set: ${names(ids)}.`,
    ),
    ...[...missing].map(
      ([node, ids]) =>
        `${safeText(node)}: not given, so its copies are not compared: ${names(ids)}.`,
    ),
  ];
  if (unsupplied.length > 0) {
    lines.push(`Not compared, no node of the replica set was given: ${namesOf(unsupplied)}.`);
  }
  if (foreign.length > 0) {
    lines.push(`Not compared, the directories cannot be told by name: ${namesOf(foreign)}.`);
  }
  if (summary.control === 'unavailable') {
    lines.push('No metadata: whether the copies are complete is not known. Next: --metadata FILE.');
  }
  return lines;
}

/** The segments by the nodes that are named for them. */
function gather(
  segments: Comparison['segments'],
  nodesOf: (segment: Comparison['segments'][number]) => readonly string[],
): Map<string, string[]> {
  const byNode = new Map<string, string[]>();
  for (const segment of segments) {
    for (const node of nodesOf(segment)) {
      byNode.set(node, [...(byNode.get(node) ?? []), segment.segment]);
    }
  }
  return byNode;
}

function names(list: readonly string[]): string {
  const hidden = list.length - SHOWN_NAMES;
  const more = hidden > 0 ? ` and ${number(hidden)} more` : '';
  return `${safeText(list.slice(0, SHOWN_NAMES).join(', '))}${more}`;
}

/** The sum, and whether the comparison passed; if not, why. */
export function closingLines(
  answer: Comparison,
  paint: (verdict: CompareVerdict) => (text: string) => string,
  style: Style,
): string {
  const { verdicts, control, passed, segments } = answer.summary;
  const parts = COMPARE_VERDICTS.filter((verdict) => verdicts[verdict] > 0).map((verdict) =>
    paint(verdict)(`${number(verdicts[verdict])} ${verdict}`),
  );
  const states = parts.length > 0 ? `: ${sentenceList(parts)}` : '';
  const result = passed
    ? style.chalk.green('Passed.')
    : `${style.chalk.red('Not passed')}: ${reasons(answer).join('; ')}.`;
  return [`${count(segments, 'segment')}${states}.`, `Control ${control}. ${result}`]
    .map((line) => `${wrap(line, proseColumns(style)).join('\n')}\n`)
    .join('');
}

/** Every reason for which a comparison does not pass. */
function reasons({ segments, skipped, errors, summary }: Comparison): string[] {
  const disagreeing = segments.filter(({ verdict }) => !passes(verdict)).length;
  const offSeal = segments.filter(({ verdict, offSeal: nodes }) => {
    return passes(verdict) && nodes.length > 0;
  }).length;
  const missing = new Set(segments.flatMap(({ notSupplied }) => notSupplied));
  const all = count(segments.length, 'segment');
  return [
    ...(summary.control === 'unavailable' ? ['no metadata'] : []),
    ...(summary.content === null ? ['nothing to compare, no two copies of a segment'] : []),
    ...(disagreeing > 0 ? [`${number(disagreeing)} of ${all} neither identical nor benign`] : []),
    ...(offSeal > 0 ? [`${number(offSeal)} of ${all} agreeing on what is not the seal`] : []),
    ...(missing.size > 0 ? [`replicas not given (${names([...missing])})`] : []),
    ...(skipped.length > 0 ? [`${count(skipped.length, 'segment')} not compared`] : []),
    ...(errors.length > 0 ? [`${count(errors.length, 'path')} not read`] : []),
  ];
}
