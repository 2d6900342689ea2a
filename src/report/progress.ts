import type { SingleBar } from 'cli-progress';
import type { Progress, ProgressUnit } from '../operations/progress.js';
import { progressText } from './progress-text.js';

const SHOWN_AFTER_MS = 500;
const REDRAW_PER_SECOND = 10;

/**
 * One line on a terminal for work that takes longer than half a second, whether in one part or in several: how
 * much is done of all, rate, time left. It is cleared when the work ends.
 */
export class ProgressLine implements Progress {
  readonly #stream: NodeJS.WriteStream;
  #depth = 0;
  #total: number | null = 0;
  #unit: ProgressUnit = 'bytes';
  #done = 0;
  #startedAt = 0;
  /** In parts that have ended. */
  #spentMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #bar: SingleBar | undefined;

  /** @param stream a terminal. */
  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** Work that begins inside other work goes on with its line. */
  begin(total: number | null, unit: ProgressUnit): void {
    if (this.#depth++ > 0) return;
    this.#total = total;
    this.#unit = unit;
    this.#done = 0;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(() => void this.#show(), Math.max(0, SHOWN_AFTER_MS - this.#spentMs));
  }

  advance(done: number): void {
    this.#done += done;
  }

  end(): void {
    if (--this.#depth > 0) return;
    this.#spentMs += performance.now() - this.#startedAt;
    this.clear();
  }

  /** Takes the line away, whatever is still going on. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#bar?.stop();
    this.#bar = undefined;
  }

  async #show(): Promise<void> {
    const { SingleBar } = await import('cli-progress');
    if (this.#timer === undefined || this.#bar) return;
    this.#bar = new SingleBar({
      stream: this.#stream,
      // It asks again at each redrawing.
      format: (_, { maxWidth }) => this.#text(maxWidth),
      fps: REDRAW_PER_SECOND,
      clearOnComplete: true,
      // A process that is stopped or killed must not leave a terminal without a cursor or without its margin.
      hideCursor: null,
      linewrap: true,
    });
    this.#bar.start(1, 0);
  }

  #text(width: number): string {
    const elapsedMs = performance.now() - this.#startedAt;
    const state = { done: this.#done, total: this.#total, unit: this.#unit, elapsedMs };
    return progressText(state, width);
  }
}
