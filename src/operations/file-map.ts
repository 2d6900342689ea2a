import type { ByteSource } from '../format/byte-source.js';
import { isAllZero, readBytes } from '../format/byte-source.js';
import type { FoundFrame } from '../format/resync.js';
import type { TailClass } from '../format/tail.js';

/** A picture of a file: bytes of each kind in all, and a character for each of its equal parts. */
export interface FileMap {
  readonly damagedBytes: number;
  readonly recoverableBytes: number;
  readonly goodBytes: number;
  readonly blankBytes: number;
  /**
   * 48 characters, none for an empty file: `*` a part with damaged and recoverable bytes, `!` with
   * damaged ones, `+` with recoverable ones; elsewhere `#` with good ones, `.` blank.
   */
  readonly picture: string;
}

const CELLS = 48;
const PIECE_BYTES = 65536;

/** Draws the map while the file is scanned, in memory that does not grow with the file. */
export class FileMapBuilder {
  readonly #size: number;
  readonly #validBytes: number;
  readonly #recoverableInCell = new Float64Array(CELLS);
  #recoverableBytes = 0;
  #recoverableEnd = 0;

  constructor(size: number, validBytes: number) {
    this.#size = size;
    this.#validBytes = validBytes;
    this.#recoverableEnd = validBytes;
  }

  /** Takes a whole frame found behind the damage; frames come in order. */
  recoverable(frame: FoundFrame): void {
    this.#recoverableBytes += frame.bytes;
    this.#recoverableEnd = frame.position + frame.bytes;
    this.#spread(frame.position, this.#recoverableEnd);
  }

  finish(tail: TailClass, source: ByteSource): FileMap {
    const blankFrom = tail === 'blank' ? this.#validBytes : this.#zerosFrom(source);
    const damagedBytes = blankFrom - this.#validBytes - this.#recoverableBytes;
    return {
      damagedBytes,
      recoverableBytes: this.#recoverableBytes,
      goodBytes: this.#validBytes,
      blankBytes: this.#size - blankFrom,
      picture: this.#size === 0 ? '' : this.#picture(blankFrom),
    };
  }

  #picture(blankFrom: number): string {
    return Array.from({ length: CELLS }, (_, cell) => {
      const start = (cell * this.#size) / CELLS;
      const end = ((cell + 1) * this.#size) / CELLS;
      const recoverable = this.#recoverableInCell[cell] ?? 0;
      const tailBytes = Math.min(end, blankFrom) - Math.max(start, this.#validBytes);
      if (tailBytes - recoverable > 1e-6) return recoverable > 0 ? '*' : '!';
      if (recoverable > 0) return '+';
      return start < this.#validBytes ? '#' : '.';
    }).join('');
  }

  #spread(start: number, end: number): void {
    const cellBytes = this.#size / CELLS;
    for (let cell = Math.floor(start / cellBytes); cell < CELLS && cell * cellBytes < end; cell++) {
      const from = Math.max(start, cell * cellBytes);
      const to = Math.min(end, (cell + 1) * cellBytes);
      this.#recoverableInCell[cell] = (this.#recoverableInCell[cell] ?? 0) + Math.max(0, to - from);
    }
  }

  /** Where the zeros at the end of the file begin; never inside a frame that was found whole. */
  #zerosFrom(source: ByteSource): number {
    let end = this.#size;
    while (end > this.#recoverableEnd) {
      const start = Math.max(this.#recoverableEnd, end - PIECE_BYTES);
      const piece = readBytes(source, start, end - start);
      if (!isAllZero(piece)) {
        let written = piece.length;
        while (piece[written - 1] === 0) written--;
        return start + written;
      }
      end = start;
    }
    return end;
  }
}
