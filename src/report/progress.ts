import type { SingleBar } from 'cli-progress';
import type { JobProgress } from '../operations/jobs.js';
import { bytesInUnits } from './words.js';

const SHOWN_AFTER_MS = 500;
const REDRAW_PER_SECOND = 10;

/**
 * One line on a terminal for work that takes longer than half a second: bytes done of all, rate, time
 * left. It is cleared when the work ends.
 */
export class ProgressLine implements JobProgress {
  readonly #stream: NodeJS.WriteStream;
  #depth = 0;
  #total = 0;
  #done = 0;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #bar: SingleBar | undefined;

  /** @param stream a terminal. */
  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** Work that begins inside other work goes on with its line. */
  begin(totalBytes: number): void {
    if (this.#depth++ > 0) return;
    this.#total = totalBytes;
    this.#done = 0;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(() => void this.#show(), SHOWN_AFTER_MS);
  }

  advance(bytes: number): void {
    this.#done += bytes;
    this.#bar?.update(Math.min(this.#done, this.#total), this.#words());
  }

  end(): void {
    if (--this.#depth === 0) this.clear();
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
    if (this.#timer === undefined) return;
    this.#bar = new SingleBar({
      stream: this.#stream,
      format: '[{bar}] {percentage}%  {bytes}  {rate}  {left}',
      barCompleteChar: '#',
      barIncompleteChar: '.',
      barsize: 24,
      fps: REDRAW_PER_SECOND,
      clearOnComplete: true,
      hideCursor: true,
      linewrap: false,
    });
    this.#bar.start(this.#total, this.#done, this.#words());
  }

  #words(): Record<string, string> {
    const seconds = (performance.now() - this.#startedAt) / 1000;
    const rate = this.#done / seconds;
    const secondsLeft = rate > 0 ? Math.ceil((this.#total - this.#done) / rate) : null;
    return {
      bytes: `${bytesInUnits(this.#done)} of ${bytesInUnits(this.#total)}`,
      rate: `${bytesInUnits(rate)}/s`,
      left: secondsLeft === null ? '' : `${secondsLeft} s left`,
    };
  }
}
