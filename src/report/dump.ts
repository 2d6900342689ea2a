import type { DumpEnd } from '../operations/dump/dump.js';
import type { DumpedRecord, FileDamage } from '../operations/dump/dump-file.js';
import { renderJson } from './json.js';
import type { ValueForm } from './record-json.js';
import { recordJson } from './record-json.js';
import type { RecordColumns } from './record-table.js';
import { recordColumns, recordLine, recordTableHead } from './record-table.js';
import { safeText } from './safe-text.js';
import { salvageLine } from './salvage-line.js';
import type { Style } from './style.js';
import { count, number, shellWord } from './words.js';

/** `json` is the one document of `--json`. */
export type DumpFormat = 'table' | 'ndjson' | 'json';

/** Renders a dump in pieces, record by record. */
export class DumpRenderer {
  readonly #format: DumpFormat;
  readonly #form: ValueForm;
  readonly #style: Style;
  #records = 0;
  #columns: RecordColumns | null = null;

  constructor(format: DumpFormat, form: ValueForm, style: Style) {
    this.#format = format;
    this.#form = form;
    this.#style = style;
  }

  *record({ source, record }: DumpedRecord): Generator<string> {
    const isFirst = this.#records === 0;
    this.#records++;
    if (this.#format === 'table') {
      this.#columns ??= recordColumns(source, record, this.#style);
      if (isFirst) yield recordTableHead(this.#columns, this.#style);
      yield recordLine(source, record, this.#form, this.#columns, this.#style);
      return;
    }
    if (this.#format === 'json') yield isFirst ? `${DOCUMENT_HEAD}\n    ` : ',\n    ';
    yield* recordJson(source, record, this.#form);
    if (this.#format === 'ndjson') yield '\n';
  }

  end(end: DumpEnd): string {
    if (this.#format === 'ndjson') return '';
    const { records, damages, errors } = end;
    if (this.#format === 'table') return records + errors.length === 0 ? 'No records.\n' : '';
    const answer = { damages, errors, summary: { records, damages: damages.length } };
    // The head is in front already: what follows it starts with the next key.
    const rest = renderJson('dump', answer).replace(SCHEMA_LINE, '');
    return this.#records === 0 ? `${DOCUMENT_HEAD}],\n${rest}` : `\n  ],\n${rest}`;
  }
}

const SCHEMA_LINE = '{\n  "schema": "malachi.dump/1",\n';
const DOCUMENT_HEAD = `${SCHEMA_LINE}  "records": [`;

/** A line on where the readable records of a file end. */
export function describeDamage({
  path,
  reason,
  position,
  unreadableBytes,
  beyond,
}: FileDamage): string {
  const behind =
    beyond.frames > 0 ? `, with ${count(beyond.frames, 'whole record')} behind the damage` : '';
  return (
    `${path}: ${reason} at byte ${number(position)}: ` +
    `${count(unreadableBytes, 'byte')} not shown${behind}.`
  );
}

/** The command to go on with, on a line of its own: whole records behind a damage are to be salvaged. */
export function nextAfterDamage({ path, beyond }: FileDamage): string {
  return `  Next: ${beyond.frames > 0 ? salvageLine(path) : `malachi inspect ${safeText(shellWord(path))}`}`;
}
