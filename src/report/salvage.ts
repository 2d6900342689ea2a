import { dirname, join } from 'node:path';
import type { ByteSource } from '../format/byte-source.js';
import type { FoundFrame } from '../format/resync.js';
import { readStoredRecord } from '../format/stored-record.js';
import type { OutOfSequenceReason } from '../operations/salvage/ledger.js';
import type { Salvage } from '../operations/salvage/salvage.js';
import { recordJson } from './record-json.js';
import { safeText } from './safe-text.js';
import type { Style } from './style.js';
import { proseColumns } from './style.js';
import { count, number, shellWord, wrap } from './words.js';

/** Of each kind so many findings are shown to a person; a program gets more. */
const SHOWN = 10;

const REASONS: Readonly<Record<OutOfSequenceReason, string>> = {
  not_above_last: 'not above the last record kept',
  inside_damaged_record: 'inside the bytes of a damaged record',
};

/** A frame as a line of JSON, in pieces. */
export function* frameJson(source: ByteSource, frame: FoundFrame): Generator<Uint8Array> {
  const record = readStoredRecord(source, frame.position, frame.position + frame.bytes);
  if (!record) return;
  for (const piece of recordJson(source, record, 'auto')) yield Buffer.from(piece);
  yield Buffer.from('\n');
}

/** The answer for a person: what was damaged, what was left out, what is missing, and what was written. */
export function renderSalvage(answer: Salvage, output: string | null, style: Style): string {
  const { damaged, outOfSequence, missing } = answer;
  const { red, yellow, bold } = style.chalk;
  const lines: string[] = [bold(safeText(answer.path))];
  for (const { position, bytes } of damaged.list.slice(0, SHOWN)) {
    lines.push(`  ${red('damaged')}  ${count(bytes, 'byte')} at byte ${number(position)}`);
  }
  lines.push(...more(damaged.count, 'damage'));
  const verb = outOfSequence.kept ? 'kept' : 'left out';
  for (const { position, offset, reason } of outOfSequence.list.slice(0, SHOWN)) {
    const what = `offset ${offset} at byte ${number(position)}`;
    lines.push(`  ${yellow('out of sequence')}  ${what}: ${REASONS[reason]}; ${verb}`);
  }
  lines.push(...more(outOfSequence.count, 'record out of sequence', 'records out of sequence'));
  for (const { first, last } of missing.list.slice(0, SHOWN)) {
    const range = first === last ? `offset ${first}` : `offsets ${first} to ${last}`;
    lines.push(`  ${yellow('missing')}  ${range}`);
  }
  if (missing.list.length > SHOWN) lines.push(`  … ${count(missing.offsets, 'offset')} missing`);
  const closing = closingLines(answer, output).flatMap((line) => wrap(line, proseColumns(style)));
  return `${lines.join('\n')}${lines.length > 1 ? '\n\n' : '\n'}${closing.join('\n')}\n`;
}

function more(total: number, noun: string, plural?: string): string[] {
  return total > SHOWN ? [`  … ${count(total, noun, plural)}`] : [];
}

function closingLines(answer: Salvage, output: string | null): string[] {
  const { records, bytes, firstOffset, lastOffset, damaged, outOfSequence } = answer;
  const offsets =
    firstOffset === null
      ? ''
      : firstOffset === lastOffset
        ? ` (offset ${firstOffset})`
        : ` (offsets ${firstOffset} to ${lastOffset})`;
  const place = output === null ? '' : ` to ${safeText(output)}`;
  const leftOut = outOfSequence.kept ? 0 : outOfSequence.count;
  return [
    `${count(records, 'record')}${offsets}, ${count(bytes, 'byte')} written${place}.`,
    `${count(damaged.bytes, 'byte')} damaged, ${count(leftOut, 'record')} left out, ` +
      `${count(answer.missing.offsets, 'offset')} missing.`,
  ];
}

/** What to do where the new file does not have the name that its first offset asks for. */
export function otherNameLines(output: string, logName: string): string[] {
  const [from, to] = [output, join(dirname(output), logName)].map((path) =>
    safeText(shellWord(path)),
  );
  return [
    `The first offset asks for the name ${logName}: inspect and a node want it so.`,
    `  Next: mv -n ${from} ${to}`,
  ];
}
