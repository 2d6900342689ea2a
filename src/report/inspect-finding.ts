import type { FileReport } from '../operations/inspect-file.js';
import { safeText } from './safe-text.js';
import type { Style } from './style.js';
import { count, number, shellWord } from './words.js';

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
  const lines = [
    ...damageLines(file, style),
    ...(file.index.status === 'bad' ? [indexLine(file)] : []),
    ...(file.offsets.outOfSequence > 0 ? [offsetsLine(file)] : []),
  ];
  const body = lines.map((line) => `  ${line}\n`).join('');
  return `${paint(heading(file))} ${style.chalk.bold(safeText(file.path))}\n${body}`;
}

function heading(file: FileReport): string {
  if (file.integrity) return file.classification;
  return file.index.status === 'bad' ? 'bad index' : 'out of sequence';
}

function damageLines(file: FileReport, style: Style): string[] {
  const { integrity, beyond, action } = file;
  if (!integrity || !beyond) return [];
  const lines = [
    `${integrity.reason} at byte ${number(integrity.position)}: ` +
      `${count(integrity.unreadableBytes, 'byte')} unreadable behind ${count(file.records, 'good record')}.`,
  ];
  if (beyond.frames > 0) {
    const offsets =
      beyond.frames === 1
        ? `offset ${beyond.firstOffset}`
        : `offsets ${beyond.firstOffset} to ${beyond.lastOffset}`;
    lines.push(
      `${count(beyond.frames, 'whole record')} behind the damage, from byte ` +
        `${number(beyond.firstPosition ?? 0)}: ${offsets}, ${count(beyond.bytes, 'byte')}.`,
    );
  }
  lines.push(...restartLines(file, style));
  if (beyond.frames > 0 || action === 'preserve') {
    lines.push(`Next: malachi salvage ${shellWord(safeText(file.path))} --out NEW.log`);
  }
  return lines;
}

function restartLines({ action, beyond, sealed }: FileReport, style: Style): string[] {
  if (action === 'preserve') {
    return [
      sealed
        ? 'A restart of the node keeps these bytes: the file is sealed.'
        : 'A restart of the node keeps these bytes and refuses appends (damaged_tail).',
    ];
  }
  const lost = beyond?.frames ?? 0;
  if (lost === 0)
    return ['A restart of the node discards this tail; no whole record is behind it.'];
  const warning = `WARNING: a restart of the node would lose ${count(lost, 'whole record')}`;
  return [style.chalk.red.bold(`${warning}: it discards this tail.`)];
}

function indexLine({ index }: FileReport): string {
  return index.detail === 'trailing_bytes'
    ? 'The sidecar index ends inside an entry. Reads stay right, only slower. Next: malachi reindex'
    : `The sidecar index has an entry (position ${index.position}) that points at no such record. Next: malachi reindex`;
}

function offsetsLine({ offsets }: FileReport): string {
  return (
    `${count(offsets.outOfSequence, 'record')} out of sequence, the first at byte ` +
    `${number(offsets.firstOutOfSequencePosition ?? 0)}: the payload carries another offset than its place says.`
  );
}
