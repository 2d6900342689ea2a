import type { Explanation } from './explanations/explanation.js';
import { explanations } from './explanations/index.js';
import type { Style } from './style.js';
import { proseColumns } from './style.js';
import { wrap } from './words.js';

const INDENT = '  ';

/** One term in full, wrapped at the terminal's width. */
export function renderExplanation({ term, summary, ...texts }: Explanation, style: Style): string {
  const { bold, dim } = style.chalk;
  const part = (head: string, text: string | undefined): string =>
    text === undefined ? '' : `\n${dim(head)}\n${paragraph(text, style)}`;
  return (
    `${bold(term)}: ${wrap(summary, proseColumns(style) - term.length - 2).join(`\n${INDENT}`)}\n\n` +
    paragraph(texts.what, style) +
    part('What a node does', texts.node) +
    part('What to do', texts.next)
  );
}

/** Every term with its summary. */
export function renderTerms(style: Style): string {
  let text = '';
  for (const { title, terms } of explanations) {
    const width = Math.max(...terms.map(({ term }) => term.length)) + 2;
    text += `${style.chalk.bold(title)}\n`;
    for (const { term, summary } of terms) {
      const lines = wrap(summary, proseColumns(style) - INDENT.length - width);
      text += `${INDENT}${term.padEnd(width)}${lines.join(`\n${INDENT}${' '.repeat(width)}`)}\n`;
    }
    text += '\n';
  }
  return `${text}${wrap('One of them in full: malachi explain TERM', proseColumns(style)).join('\n')}\n`;
}

function paragraph(text: string, style: Style): string {
  return wrap(text, proseColumns(style) - INDENT.length)
    .map((line) => `${INDENT}${line}\n`)
    .join('');
}
