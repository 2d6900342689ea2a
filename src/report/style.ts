import type { ChalkInstance } from 'chalk';
import { Chalk } from 'chalk';

/** How text is made up for where it goes. */
export interface Style {
  readonly chalk: ChalkInstance;
  /** Columns of the terminal; infinite off one, where nothing needs to be shortened. */
  readonly columns: number;
}

const PROSE_COLUMNS = 80;

/** Columns of running text, also off a terminal. Commands to paste and rows of tables are never wrapped. */
export function proseColumns({ columns }: Style): number {
  return Math.min(columns, PROSE_COLUMNS);
}

export interface ColourChoice {
  /** `--no-color` was given. */
  readonly noColorFlag: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
}

/** Colour depth, as chalk counts it. */
export function colourLevel({ noColorFlag, environment, isTerminal }: ColourChoice): 0 | 1 | 2 | 3 {
  const { FORCE_COLOR: force, NO_COLOR: no, TERM: term, COLORTERM: colorTerm } = environment;
  if (noColorFlag) return 0;
  if (force !== undefined) {
    if (force === '0' || force === 'false') return 0;
    return force === '2' ? 2 : force === '3' ? 3 : 1;
  }
  if ((no !== undefined && no !== '') || !isTerminal || term === 'dumb') return 0;
  if (colorTerm === 'truecolor') return 3;
  return term?.includes('256') === true ? 2 : 1;
}

export function createStyle(choice: ColourChoice, columns: number | undefined): Style {
  return { chalk: new Chalk({ level: colourLevel(choice) }), columns: columns || Infinity };
}
