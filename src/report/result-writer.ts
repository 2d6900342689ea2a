import type { Output } from './output.js';

const BATCH_CHARACTERS = 64 * 1024;

/** Writes a long result in larger parts, at the pace of its reader. */
export class ResultWriter {
  readonly #output: Output;
  #batch = '';

  constructor(output: Output) {
    this.#output = output;
  }

  async write(text: string): Promise<void> {
    this.#batch += text;
    if (this.#batch.length >= BATCH_CHARACTERS) await this.flush();
  }

  /** Hands over what is left. */
  async flush(): Promise<void> {
    const batch = this.#batch;
    this.#batch = '';
    await this.#output.result(batch);
  }
}
