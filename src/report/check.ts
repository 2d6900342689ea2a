import { LosslessNumber, stringify } from 'lossless-json';
import type { CaseReport, CheckAnswer } from '../operations/check/check.js';
import type { Difference } from '../policy/json-containment.js';
import { safeText } from './safe-text.js';
import type { Style } from './style.js';
import { count, number, sentenceList } from './words.js';

/** The answer for a person: what failed, and a closing line. */
export function renderCheck({ cases, summary }: CheckAnswer, style: Style): string {
  let text = '';
  for (const one of cases) {
    if (one.status !== 'failed') continue;
    const lines = failureLines(one).map((line) => `  ${safeText(line)}\n`);
    text += `${style.chalk.red('failed')} ${style.chalk.bold(safeText(one.name))}\n${lines.join('')}\n`;
  }
  const { green, red } = style.chalk;
  const parts = [
    ...(summary.passed > 0 ? [green(`${number(summary.passed)} passed`)] : []),
    ...(summary.failed > 0 ? [red(`${number(summary.failed)} failed`)] : []),
    ...(summary.invalid > 0 ? [red(`${number(summary.invalid)} invalid`)] : []),
  ];
  const outcome = parts.length > 0 ? `: ${sentenceList(parts)}` : '';
  return `${text}${count(summary.cases, 'case')}${outcome}.\n`;
}

/** What differs in a case's run, a line a difference, and what the run said of it. */
export function failureLines({ exit, differences = [], stderr = '' }: CaseReport): string[] {
  const lines: string[] = [];
  if (exit && exit.expected !== exit.found) {
    const found = exit.found === null ? 'an end by a signal' : exit.found;
    lines.push(`exit code: expected ${exit.expected}, found ${found}`);
  }
  lines.push(...differences.map(differenceLine));
  const said = stderr.split('\n').filter((line) => line !== '');
  return [...lines, ...said.map((line) => `stderr: ${line}`)];
}

function differenceLine({ pointer, expected, found }: Difference): string {
  const place = pointer === '' ? 'the answer' : pointer;
  if (Array.isArray(expected) && Array.isArray(found)) {
    const wanted = count(expected.length, 'element');
    return `${place}: expected ${wanted}, found ${number(found.length)}: ${valueText(found)}`;
  }
  return `${place}: expected ${valueText(expected)}, found ${valueText(found)}`;
}

const SHOWN_CHARACTERS = 200;

function valueText(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = stringify(value) ?? '';
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`;
}

/** The answer for a program: what was expected and found stands there as it was read. */
export function checkDocument(answer: CheckAnswer): object {
  const cases = answer.cases.map(({ differences, ...rest }) => ({
    ...rest,
    ...(differences && {
      differences: differences.map(({ pointer, expected, found }) => ({
        pointer,
        expected: asData(expected),
        found: asData(found),
      })),
    }),
  }));
  return { ...answer, cases };
}

/** A parsed value with its objects as maps, whose keys are data. */
function asData(value: unknown): unknown {
  if (value instanceof LosslessNumber) return Number(value.value);
  if (Array.isArray(value)) return value.map(asData);
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([key, held]) => [key, asData(held)]));
}
