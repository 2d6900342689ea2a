import type { FileReport } from '../operations/inspect-file.js';
import { safeText } from './safe-text.js';
import { salvageLine } from './salvage-line.js';
import type { Style } from './style.js';
import { proseColumns } from './style.js';
import { count, number, shellWord, wrap } from './words.js';

/** Colours for the classes; each also has its word. */
export function paintState(
  state: FileReport['classification'],
  style: Style,
): (text: string) => string {
  const { green, dim, yellow, red } = style.chalk;
  return { clean: green, blank: dim, torn: yellow, rot: red }[state];
}

/** A paragraph on one file that needs attention: what is wrong, what a restart does, what to do. */
export function renderFinding(file: FileReport, style: Style): string {
  const paint = paintState(file.classification, style);
  const lines = [`${paint(heading(file))} ${style.chalk.bold(safeText(file.path))}`];
  const say = (text: string, emphasis = (line: string) => line): void => {
    for (const line of wrap(text, proseColumns(style) - INDENT.length))
      lines.push(INDENT + emphasis(line));
  };
  describeDamage(file, say, style);
  if (file.offsets.outOfSequence > 0) say(offsetsText(file));
  const canSalvage = (file.beyond?.frames ?? 0) > 0;
  if (wantsGoodCopy(file)) {
    say(`Repair: from a good copy, as told below.${canSalvage ? ' Where there is none:' : ''}`);
  }
  // Commands are not wrapped: they are there to be pasted.
  if (canSalvage) {
    lines.push(`${INDENT}Next: ${salvageLine(file.path)}`);
  }
  if (file.index.status === 'bad') {
    say(indexText(file));
    lines.push(`${INDENT}Next: malachi reindex ${pathWord(file)}`);
  }
  return `${lines.join('\n')}\n`;
}

const INDENT = '  ';

/** Whether records of the file are lost, or wrong, that only another copy has. */
function wantsGoodCopy({ integrity, action, beyond, offsets }: FileReport): boolean {
  const keepsDamage = integrity !== null && action === 'preserve';
  return keepsDamage || (beyond?.frames ?? 0) > 0 || offsets.outOfSequence > 0;
}

/** What to do about damage, once for all files; empty if none needs it. */
export function renderRepair(files: readonly FileReport[], style: Style): string {
  if (!files.some(wantsGoodCopy)) return '';
  const text =
    'Repair: malachi compare shows which copies are good. Where one is, stop the node, move the damaged ' +
    'segment directory out of the log root, and start the node: it fetches the records again. Where none ' +
    'is, malachi salvage gets what is whole. More: malachi explain rot.';
  return `${wrap(text, proseColumns(style)).join('\n')}\n\n`;
}

type Say = (text: string, emphasis?: (line: string) => string) => void;

/** The path ready to paste. */
function pathWord(file: FileReport): string {
  return shellWord(safeText(file.path));
}

function heading(file: FileReport): string {
  if (file.integrity) return file.classification;
  return file.index.status === 'bad' ? 'bad index' : 'out of sequence';
}

function describeDamage(file: FileReport, say: Say, style: Style): void {
  const { integrity, beyond, action, sealed } = file;
  if (!integrity || !beyond) return;
  say(
    `${integrity.reason} at byte ${number(integrity.position)}: ` +
      `${count(integrity.unreadableBytes, 'byte')} unreadable behind ${count(file.records, 'good record')}.`,
  );
  if (beyond.frames > 0) {
    const offsets =
      beyond.frames === 1
        ? `offset ${beyond.firstOffset}`
        : `offsets ${beyond.firstOffset} to ${beyond.lastOffset}`;
    say(
      `${count(beyond.frames, 'whole record')} behind the damage, from byte ` +
        `${number(beyond.firstPosition ?? 0)}: ${offsets}, ${count(beyond.bytes, 'byte')}.`,
    );
  }
  if (action === 'preserve') {
    const refuses = sealed ? ': the file is sealed' : ' and refuses appends (damaged_tail)';
    say(`A restart of the node keeps these bytes${refuses}.`);
  } else if (beyond.frames === 0) {
    say('A restart of the node discards this tail; no whole record is behind it.');
  } else {
    const lost = count(beyond.frames, 'whole record');
    say(
      `WARNING: a restart of the node would lose ${lost}: it discards this tail.`,
      style.chalk.red.bold,
    );
  }
}

function indexText({ index }: FileReport): string {
  return index.detail === 'trailing_bytes'
    ? 'The sidecar index ends inside an entry. Reads stay right without it, only slower.'
    : `The sidecar index has an entry (position ${index.position}) that points at no such record. ` +
        'Reads stay right without it, only slower.';
}

function offsetsText({ offsets }: FileReport): string {
  const many = count(offsets.outOfSequence, 'record');
  const first = number(offsets.firstOutOfSequencePosition ?? 0);
  return `${many} out of sequence, the first at byte ${first}: the payload carries another offset than its place in the file says.`;
}
