import type { FileReport } from '../operations/inspect-file.js';
import type { Inspection } from '../operations/inspect.js';
import { hasFinding } from '../operations/inspect.js';
import { renderHexView } from './hex-view.js';
import { renderFinding, paintState } from './inspect-finding.js';
import { renderRootTables } from './root-tables.js';
import { safeText } from './safe-text.js';
import type { Style } from './style.js';
import type { Cell, Column } from './table.js';
import { count, number, sentenceList, shorten } from './words.js';

const COLUMNS: readonly Column[] = [
  { head: 'SEGMENT', flexible: true },
  { head: 'BASE OFFSET', align: 'right' },
  { head: 'STATE' },
  { head: 'MARKER' },
  { head: 'RECORDS', align: 'right' },
  { head: 'VALID', align: 'right' },
  { head: 'TAIL', align: 'right' },
];

/** The answer for a person: a table a directory, a paragraph a finding, and a closing line. */
export function renderInspection(answer: Inspection, style: Style): string {
  let text = renderRootTables(answer.files, COLUMNS, (file) => rowOf(file, style), style);
  text += renderMaps(answer.files, style);
  for (const file of answer.files.filter(hasFinding)) {
    text += `${renderFinding(file, style)}${file.hex ? renderHexView(file.hex, style) : ''}\n`;
  }
  return `${text}${closingLine(answer, style)}\n`;
}

function rowOf(file: FileReport, style: Style): (Cell | string)[] {
  const marker = file.fenced ? 'fenced' : file.sealed ? 'sealed' : '';
  return [
    file.segment,
    file.baseOffset.toString(),
    { text: file.classification, paint: paintState(file.classification, style) },
    marker,
    number(file.records),
    number(file.validBytes),
    number(file.tail.trailingBytes),
  ];
}

const PICTURE: Readonly<Record<string, 'green' | 'red' | 'yellow' | 'dim'>> = {
  '#': 'green',
  '!': 'red',
  '+': 'yellow',
  '*': 'yellow',
  '.': 'dim',
};

function renderMaps(files: readonly FileReport[], style: Style): string {
  let text = '';
  for (const { map, segment, baseOffset } of files) {
    if (!map) continue;
    const picture = map.picture.replace(/(.)\1*/g, (run) => {
      const colour = PICTURE[run.charAt(0)];
      return colour ? style.chalk[colour](run) : run;
    });
    const padding = ' '.repeat(MAP_WIDTH - map.picture.length);
    const width = style.columns - MAP_WIDTH - 4;
    text += `[${picture}]${padding}  ${shorten(safeText(`${segment} @${baseOffset}`), width)}\n`;
  }
  return text === '' ? '' : `${text}# good  ! damaged  + recoverable  * both  . blank\n\n`;
}

const MAP_WIDTH = 48;

function closingLine({ summary, errors }: Inspection, style: Style): string {
  const states = (['clean', 'blank', 'torn', 'rot'] as const)
    .filter((state) => summary[state] > 0)
    .map((state) => paintState(state, style)(`${number(summary[state])} ${state}`));
  if (summary.badIndex > 0)
    states.push(style.chalk.red(count(summary.badIndex, 'bad index', 'bad indexes')));
  if (summary.outOfSequence > 0) {
    states.push(style.chalk.red(`${number(summary.outOfSequence)} out of sequence`));
  }
  const answered = `${count(summary.files, 'file')}, ${count(summary.records, 'record')}`;
  const failed = errors.length > 0 ? `; ${count(errors.length, 'path')} could not be answered` : '';
  return `${answered}${states.length > 0 ? `: ${sentenceList(states)}` : ''}${failed}.`;
}
