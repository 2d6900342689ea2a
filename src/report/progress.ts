import type { SingleBar } from 'cli-progress';
import type { Progress, ProgressUnit } from '../operations/progress.js';
import { bytesInUnits, number } from './words.js';

const SHOWN_AFTER_MS = 500;
const REDRAW_PER_SECOND = 10;
const OF_ALL = '[{bar}] {percentage}%  {done}  {rate}  {left}';
/** Where nobody knows how much there is. */
const SO_FAR = '{done}  {rate}';

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
  #drawnAt = 0;
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
    this.#done = Math.min(this.#done + done, this.#total ?? Infinity);
    if (!this.#bar) return;
    const now = performance.now();
    // The bar draws itself; it only has to know in time.
    if (now - this.#drawnAt < 500 / REDRAW_PER_SECOND) return;
    this.#drawnAt = now;
    this.#bar.update(this.#done, this.#words(now));
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
      format: this.#total === null ? SO_FAR : OF_ALL,
      barCompleteChar: '#',
      barIncompleteChar: '.',
      barsize: 24,
      fps: REDRAW_PER_SECOND,
      clearOnComplete: true,
      hideCursor: true,
      linewrap: false,
    });
    this.#bar.start(this.#total ?? 0, this.#done, this.#words(performance.now()));
  }

  #words(now: number): Record<string, string> {
    const rate = (this.#done * 1000) / (now - this.#startedAt);
    const left =
      this.#total === null || rate === 0 ? null : Math.ceil((this.#total - this.#done) / rate);
    const all = this.#total === null ? '' : ` of ${this.#amount(this.#total)}`;
    return {
      done: `${this.#amount(this.#done)}${all}${this.#unit === 'bytes' ? '' : ` ${this.#unit}`}`,
      rate: `${this.#amount(rate)}/s`,
      left: left === null ? '' : `${left} s left`,
    };
  }

  #amount(value: number): string {
    return this.#unit === 'bytes' ? bytesInUnits(value) : number(Math.round(value));
  }
}
