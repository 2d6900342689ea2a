/** Frames that were appended and not yet written. */
export class WriteBuffer {
  #frames: Uint8Array[] = [];
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  get count(): number {
    return this.#frames.length;
  }

  push(frame: Uint8Array): void {
    this.#frames.push(frame);
    this.#bytes += frame.length;
  }

  frames(): readonly Uint8Array[] {
    return this.#frames;
  }

  clear(): void {
    this.#frames = [];
    this.#bytes = 0;
  }
}
