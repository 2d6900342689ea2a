import type { ByteSource } from '../../format/byte-source.js';
import type { ChainEnd } from '../../format/frame-chain.js';
import { readChain } from '../../format/frame-chain.js';
import type { StoredRecord } from '../../format/stored-record.js';

/** Least distance in bytes between two places from which frames are read again. */
const BLOCK_BYTES = 256 * 1024;

/**
 * Yields the records of a file from the last to the one at `from`. Frames can only be read forwards, so a
 * first pass keeps where some of them start, and the records of one block at a time are in memory.
 *
 * @param from where a frame starts.
 * @param near where a frame starts, as near to the end as is known: what lies before it is not read
 *   until all behind it was taken.
 */
export function* reverseSteps(
  source: ByteSource,
  from: number,
  near: number,
): Generator<StoredRecord | number, ChainEnd> {
  const last = yield* blockSteps(source, near, source.size);
  yield* backwards(source, last.starts, last.end.validBytes);
  if (near === from) return last.end;
  const first = yield* blockSteps(source, from, near);
  yield* backwards(source, first.starts, first.end.validBytes);
  return first.end.validBytes < near ? first.end : last.end;
}

interface Blocks {
  readonly starts: readonly number[];
  readonly end: ChainEnd;
}

/** Reads the frames that start from `from` up to `until`, and keeps where blocks of them start. */
function* blockSteps(source: ByteSource, from: number, until: number): Generator<number, Blocks> {
  const starts: number[] = [from];
  let blockStart = from;
  let validBytes = from;
  const chain = readChain(source, from);
  for (;;) {
    if (validBytes >= until) return { starts, end: { halt: 'eof', validBytes } };
    const step = chain.next();
    if (step.done === true) return { starts, end: step.value };
    if (typeof step.value === 'number') {
      yield step.value;
      continue;
    }
    const { position, bytes } = step.value;
    if (position - blockStart >= BLOCK_BYTES) {
      starts.push(position);
      blockStart = position;
      yield position;
    }
    validBytes = position + bytes;
  }
}

function* backwards(
  source: ByteSource,
  starts: readonly number[],
  end: number,
): Generator<StoredRecord, void> {
  let blockEnd = end;
  for (const start of starts.toReversed()) {
    const block: StoredRecord[] = [];
    for (const record of readChain(source, start)) {
      if (typeof record === 'number' || record.position >= blockEnd) break;
      block.push(record);
      if (record.position + record.bytes >= blockEnd) break;
    }
    yield* block.reverse();
    blockEnd = start;
  }
}
