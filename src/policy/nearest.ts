/**
 * The word that a misspelt one was most likely meant to be: the one with the fewest letters to add, to drop,
 * to change or to swap with their neighbour, the first of several.
 *
 * @returns `null` if none is near: more than a third of the letters would have to change.
 */
export function nearest(word: string, words: readonly string[]): string | null {
  let best: string | null = null;
  let fewest = Infinity;
  for (const candidate of words) {
    const edits = distance(word.toLowerCase(), candidate.toLowerCase());
    if (edits > Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3))) continue;
    if (edits < fewest) {
      best = candidate;
      fewest = edits;
    }
  }
  return best;
}

/** Optimal string alignment distance. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const options = [
        (last[j] ?? Infinity) + 1,
        (row[j - 1] ?? Infinity) + 1,
        (last[j - 1] ?? Infinity) + cost,
      ];
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) options.push((beforeLast[j - 2] ?? Infinity) + 1);
      row.push(Math.min(...options));
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? Infinity;
}
