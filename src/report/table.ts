import Table from 'cli-table3';
import { displayWidth } from './display-width.js';
import { safeText } from './safe-text.js';
import type { Style } from './style.js';
import { shortenApart } from './words.js';

export interface Column {
  readonly head: string;
  readonly align?: 'left' | 'right';
  /**
   * Shortened where the table is wider than the terminal, unless different cells would then read the same:
   * then the terminal wraps the lines. At most one column is flexible.
   */
  readonly flexible?: boolean;
}

/** A cell: its plain text, and what colours it. */
export interface Cell {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

const GAP = 2;
const LEAST_FLEXIBLE_WIDTH = 8;
/** The layout takes a time that grows with the square of the rows, so a long table is laid out in parts. */
const ROWS_AT_ONCE = 50;

/** Renders rows without lines between them, as wide as the terminal at most. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly (Cell | string)[])[],
  style: Style,
): string {
  const cells = rows.map((row) => row.map(toCell));
  const widths = widthsOf(columns, cells);
  const total = widths.reduce((sum, width) => sum + width + GAP, -GAP);
  const excess = Math.max(0, total - style.columns);
  const shortened = columns.map(({ flexible }, at): ReadonlyMap<string, string> | null => {
    if (flexible !== true || excess === 0) return null;
    const texts = cells.map((row) => row[at]?.text ?? '');
    return shortenApart(texts, Math.max(LEAST_FLEXIBLE_WIDTH, (widths[at] ?? 0) - excess));
  });
  const fitted = cells.map((row) =>
    row.map((cell, at) => ({ ...cell, text: shortened[at]?.get(cell.text) ?? cell.text })),
  );
  const lines = [
    columns.map(({ head }) => style.chalk.dim(head)),
    ...fitted.map((row) => row.map(({ text, paint }) => paint?.(text) ?? text)),
  ];
  const fittedWidths = widthsOf(columns, fitted);
  let text = '';
  for (let from = 0; from < lines.length; from += ROWS_AT_ONCE) {
    text += renderRows(columns, fittedWidths, lines.slice(from, from + ROWS_AT_ONCE));
  }
  return text;
}

/** Width of each column: that of its widest cell, or of its head. */
function widthsOf(columns: readonly Column[], rows: readonly (readonly Cell[])[]): number[] {
  return columns.map(({ head }, at) =>
    rows.reduce(
      (width, row) => Math.max(width, displayWidth(row[at]?.text ?? '')),
      displayWidth(head),
    ),
  );
}

function renderRows(
  columns: readonly Column[],
  widths: readonly number[],
  rows: readonly string[][],
): string {
  const table = new Table({
    chars: NO_LINES,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': GAP },
    colAligns: columns.map(({ align }) => align ?? 'left'),
    colWidths: widths.map((width) => width + GAP),
  });
  table.push(...rows);
  const lines = table.toString().split('\n');
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function toCell(cell: Cell | string): Cell {
  return typeof cell === 'string'
    ? { text: safeText(cell) }
    : { ...cell, text: safeText(cell.text) };
}

const NO_LINES = Object.fromEntries(
  [
    ...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left'],
    ...['bottom-right', 'left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'],
  ].map((name) => [name, '']),
);
