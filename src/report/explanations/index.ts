import { comparing } from './comparing.js';
import { copies, skips } from './copies.js';
import type { Explanation, ExplanationGroup } from './explanation.js';
import { halts, tails } from './tails.js';
import { errorCodes, toolkit } from './toolkit.js';

/** Every term, in the order in which an operator meets them. */
export const explanations: readonly ExplanationGroup[] = [
  ...[tails, halts, copies, skips, comparing, toolkit, errorCodes],
];

/** The explanation of a term or of another word for it, in any case and with spaces, `-` or `_`. */
export function findExplanation(word: string): Explanation | null {
  const wanted = fold(word);
  const terms = explanations.flatMap((group) => group.terms);
  const byTerm = terms.find(({ term }) => fold(term) === wanted);
  return (
    byTerm ?? terms.find(({ aliases = [] }) => aliases.some((a) => fold(a) === wanted)) ?? null
  );
}

/** Every word that `findExplanation` knows. */
export function explainedWords(): string[] {
  return explanations.flatMap(({ terms }) =>
    terms.flatMap(({ term, aliases = [] }) => [term, ...aliases]),
  );
}

function fold(word: string): string {
  return word
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim();
}
