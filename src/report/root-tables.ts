import { dirname } from 'node:path';
import { safeText } from './safe-text.js';
import type { Style } from './style.js';
import type { Cell, Column } from './table.js';
import { renderTable } from './table.js';

/** A table for each directory that holds segment directories, in the order in which the files come. */
export function renderRootTables<T extends { readonly path: string }>(
  files: readonly T[],
  columns: readonly Column[],
  rowOf: (file: T) => (Cell | string)[],
  style: Style,
): string {
  const groups = new Map<string, T[]>();
  for (const file of files) {
    const root = dirname(dirname(file.path));
    const group = groups.get(root);
    if (group) group.push(file);
    else groups.set(root, [file]);
  }
  let text = '';
  for (const [root, group] of groups) {
    const heading = style.chalk.bold(safeText(root));
    text += `${heading}\n${renderTable(columns, group.map(rowOf), style)}\n`;
  }
  return text;
}
