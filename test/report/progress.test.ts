import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ProgressLine } from '../../src/report/progress.js';

const MIB = 1024 * 1024;

/** A progress line on a terminal of 80 columns, and what is written to that. */
function onTerminal(): { line: ProgressLine; written: () => string } {
  let text = '';
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 });
  stream.on('data', (piece) => (text += String(piece)));
  const line = new ProgressLine(stream as unknown as NodeJS.WriteStream);
  return { line, written: () => text };
}

/** Moves to the start of the line, where each drawing begins. */
const LINE_START = '\u001b[1G';

/** What stands on the line by now. */
const shown = (text: string): string =>
  stripVTControlCharacters(text.slice(text.lastIndexOf(LINE_START))).trim();

/** Lets time go by, and the bar be loaded. */
async function pass(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
  await vi.dynamicImportSettled();
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('half a second goes by before anything is shown', async () => {
  const { line, written } = onTerminal();
  line.begin(100 * MIB, 'bytes');
  line.advance(10 * MIB);
  await pass(499);
  line.end();
  await pass(5000);
  expect(written()).toBe('');
});

test('bytes done of all, rate and time left', async () => {
  const { line, written } = onTerminal();
  line.begin(100 * MIB, 'bytes');
  await pass(1000);
  line.advance(25 * MIB);
  await pass(200);
  expect(shown(written())).toMatch(
    /^\[#{6}\.{18}\] 25% {2}25\.0 MiB of 100\.0 MiB {2}2\d\.\d MiB\/s {2}[34] s left$/,
  );
  line.end();
});

test('copies, and work of which nobody knows how much it is', async () => {
  const { line, written } = onTerminal();
  line.begin(null, 'copies');
  await pass(1000);
  line.advance(2000);
  await pass(200);
  expect(shown(written())).toMatch(/^2,000 copies {2}[\d,]+\/s$/);
  line.end();
  line.begin(4000, 'copies');
  await pass(500);
  line.advance(2000);
  await pass(200);
  expect(shown(written())).toMatch(/50% {2}2,000 of 4,000 copies {2}[\d,]+\/s {2}\d s left$/);
  line.end();
});

test('parts of work add up: the second one need not take half a second again', async () => {
  const { line, written } = onTerminal();
  line.begin(10, 'cases');
  await pass(400);
  line.end();
  await pass(60_000);
  line.begin(10, 'cases');
  await pass(99);
  expect(written()).toBe('');
  await pass(200);
  expect(shown(written())).toMatch(/0 of 10 cases/);
  line.end();
});

test('a part behind half a second of others shows at once, without a delay below 0', async () => {
  const delays = vi.spyOn(globalThis, 'setTimeout');
  const { line, written } = onTerminal();
  line.begin(10, 'cases');
  await pass(3000);
  line.end();
  const before = written().length;
  line.begin(10, 'cases');
  await pass(10);
  expect(shown(written().slice(before))).toMatch(/0 of 10 cases/);
  line.end();
  // Node warns of those on stderr.
  expect(delays.mock.calls.filter(([, delay = 0]) => delay < 0)).toEqual([]);
});

test('never shows more than all there is', async () => {
  const { line, written } = onTerminal();
  line.begin(1000, 'bytes');
  await pass(1000);
  line.advance(5000);
  await pass(200);
  expect(shown(written())).toMatch(/100% {2}1000 B of 1000 B .* 0 s left$/);
  line.end();
});

test('work inside other work goes on with its line', async () => {
  const { line, written } = onTerminal();
  line.begin(100 * MIB, 'bytes');
  line.begin(1 * MIB, 'bytes');
  await pass(1000);
  line.advance(MIB);
  line.end();
  await pass(200);
  expect(shown(written())).toContain('1.0 MiB of 100.0 MiB');
  line.end();
});

test('at the end the line is cleared, and the terminal is as it was', async () => {
  const { line, written } = onTerminal();
  line.begin(MIB, 'bytes');
  await pass(1000);
  line.end();
  const drawn = written();

  expect(drawn).toContain('0 B of 1.0 MiB');
  expect(shown(drawn)).toBe('');
  // Neither the cursor nor the margin was taken away, so that nothing has to be given back.
  expect(drawn).not.toMatch(/\[\?\d+[hl]/);
  await pass(5000);
  expect(written()).toBe(drawn);
});
