import type { ProgressUnit } from '../operations/progress.js';
import { bytesInUnits, number } from './words.js';

export interface ProgressState {
  readonly done: number;
  /** `null` where nobody knows how much there is. */
  readonly total: number | null;
  readonly unit: ProgressUnit;
  readonly elapsedMs: number;
}

const BAR_WIDTH = 24;

/**
 * How far work is, on one line: a bar, percent, how much of all, rate and time left; of these only what has
 * room. The last column stays free, for some terminals wrap behind it.
 *
 * @param width of the terminal, in columns.
 */
export function progressText(state: ProgressState, width: number): string {
  const { done, total, unit, elapsedMs } = state;
  const amount = (value: number): string =>
    unit === 'bytes' ? bytesInUnits(value) : number(Math.round(value));
  const named = unit === 'bytes' ? '' : ` ${unit}`;
  const perMs = elapsedMs > 0 ? done / elapsedMs : 0;
  const rate = `${amount(perMs * 1000)}/s`;
  if (total === null) return widest([[`${amount(done)}${named}`, rate]], width);

  const part = total > 0 ? Math.min(1, done / total) : 1;
  const full = Math.floor(part * BAR_WIDTH);
  const bar = `[${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}]`;
  const percent = `${Math.floor(part * 100)}%`;
  const amounts = `${amount(Math.min(done, total))} of ${amount(total)}${named}`;
  const left = perMs > 0 ? `${Math.ceil(Math.max(0, total - done) / perMs / 1000)} s left` : '';
  return widest(
    [
      [`${bar} ${percent}`, amounts, rate, left],
      [percent, amounts, rate, left],
      [percent, left],
      [percent],
    ],
    width,
  );
}

/** The first of these lines that has room, else the front of the last. */
function widest(lines: readonly (readonly string[])[], width: number): string {
  const texts = lines.map((parts) => parts.filter((part) => part !== '').join('  '));
  return (texts.find((text) => text.length < width) ?? texts.at(-1) ?? '').slice(0, width - 1);
}
