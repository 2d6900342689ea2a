import type { MadeFile } from '../operations/fixture/fixture.js';
import { safeText } from './safe-text.js';
import type { Style } from './style.js';
import { renderTable } from './table.js';
import { count, number } from './words.js';

/** What was made, for a person. */
export function renderFixture(out: string, files: readonly MadeFile[], style: Style): string {
  const rows = files.map(({ path, bytes }) => [path, number(bytes)]);
  const columns = [
    { head: 'FILE', flexible: true },
    { head: 'BYTES', align: 'right' },
  ] as const;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const closing = `${count(files.length, 'file')}, ${count(bytes, 'byte')}.`;
  return `${style.chalk.bold(safeText(out))}\n${renderTable(columns, rows, style)}\n${closing}\n`;
}
