import { dirname } from 'node:path';
import type { FileReport } from '../operations/inspect-file.js';
import type { Inspection } from '../operations/inspect.js';
import { hasFinding } from '../operations/inspect.js';
import { renderHexView } from './hex-view.js';
import { renderFinding, renderRepair, paintState } from './inspect-finding.js';
import { renderRootTables } from './root-tables.js';
import { safeText } from './safe-text.js';
import type { Style } from './style.js';
import { proseColumns } from './style.js';
import type { Cell, Column } from './table.js';
import { count, number, sentenceList, shortenApart, wrap } from './words.js';

const COLUMNS: readonly Column[] = [
  { head: 'SEGMENT', flexible: true },
  { head: 'BASE OFFSET', align: 'right' },
  { head: 'STATE' },
  { head: 'NOTE' },
  { head: 'RECORDS', align: 'right' },
  { head: 'VALID', align: 'right' },
  { head: 'TAIL', align: 'right' },
];

/** The answer for a person: a table a directory, a paragraph a finding, and a closing line. */
export function renderInspection(answer: Inspection, style: Style): string {
  let text = renderRootTables(answer.files, COLUMNS, (file) => rowOf(file, style), style);
  text += renderMaps(answer.files, style);
  for (const file of answer.files.filter(hasFinding)) {
    text += renderFinding(file, style);
    text += file.hex ? `\n${renderHexView(file.hex, style)}\n` : '\n';
  }
  text += renderRepair(answer.files, style);
  return `${text}${wrap(closingLine(answer, style), proseColumns(style)).join('\n')}\n`;
}

function rowOf(file: FileReport, style: Style): (Cell | string)[] {
  return [
    file.segment,
    file.baseOffset.toString(),
    { text: file.classification, paint: paintState(file.classification, style) },
    noteOf(file, style),
    number(file.records),
    number(file.validBytes),
    number(file.tail.trailingBytes),
  ];
}

function noteOf({ fenced, sealed, index, offsets }: FileReport, style: Style): Cell {
  const findings = [
    ...(index.status === 'bad' ? ['bad index'] : []),
    ...(offsets.outOfSequence > 0 ? ['out of sequence'] : []),
  ];
  const marker = fenced ? ['fenced'] : sealed ? ['sealed'] : [];
  const text = [...marker, ...findings].join(', ');
  return findings.length > 0 ? { text, paint: style.chalk.red } : { text };
}

const PICTURE: Readonly<Record<string, 'green' | 'red' | 'yellow' | 'dim'>> = {
  '#': 'green',
  '!': 'red',
  '+': 'yellow',
  '*': 'yellow',
  '.': 'dim',
};

function renderMaps(files: readonly FileReport[], style: Style): string {
  const names = new Map(mapNames(files));
  const shown = shortenApart(names.values(), style.columns - MAP_WIDTH - 4);
  let text = '';
  for (const { map, path } of files) {
    if (!map) continue;
    const picture = map.picture.replace(/(.)\1*/g, (run) => {
      const colour = PICTURE[run.charAt(0)];
      return colour ? style.chalk[colour](run) : run;
    });
    const padding = ' '.repeat(MAP_WIDTH - map.picture.length);
    const name = names.get(path) ?? '';
    text += `[${picture}]${padding}  ${shown.get(name) ?? name}\n`;
  }
  return text === '' ? '' : `${text}# good  ! damaged  + recoverable  * both  . blank\n\n`;
}

/** The files' names beside their pictures, by path; from several directories with what sets these apart. */
function mapNames(files: readonly FileReport[]): [string, string][] {
  const roots = files.map(({ path }) => dirname(dirname(path)).split('/'));
  const [first = []] = roots;
  const differs = first.findIndex((part, at) => roots.some((root) => root[at] !== part));
  const isOne = roots.every((root) => root.join('/') === first.join('/'));
  return files.map(({ path, segment, baseOffset }, at) => {
    const root = (roots[at] ?? []).slice(differs < 0 ? first.length : differs);
    const place = isOne || root.length === 0 ? '' : `${root.join('/')}/`;
    return [path, safeText(`${place}${segment} @${baseOffset}`)];
  });
}

const MAP_WIDTH = 48;

function closingLine({ summary, errors }: Inspection, style: Style): string {
  const states = (['clean', 'blank', 'torn', 'rot'] as const)
    .filter((state) => summary[state] > 0)
    .map((state) => paintState(state, style)(`${number(summary[state])} ${state}`));
  const { red } = style.chalk;
  const among = [
    ...(summary.badIndex > 0 ? [red(`${number(summary.badIndex)} with a bad index`)] : []),
    ...(summary.outOfSequence > 0 ? [red(`${number(summary.outOfSequence)} out of sequence`)] : []),
  ];
  const answered = `${count(summary.files, 'file')}, ${count(summary.records, 'record')}`;
  const failed = errors.length > 0 ? `; ${count(errors.length, 'path')} could not be answered` : '';
  const found = states.length > 0 ? `: ${sentenceList(states)}` : '';
  const rest = among.length > 0 ? `; among them ${sentenceList(among)}` : '';
  return `${answered}${found}${rest}${failed}.`;
}
