import { join } from 'node:path';
import type { PresentFile } from './copy-directory.js';

/** A file that is to be changed in place, and has other names under which the change shows too. */
export interface LinkedFile {
  readonly path: string;
  /** All its names, this one included. */
  readonly linkCount: number;
}

/** Hears of such a file before it is changed; in a dry run too. */
export type LinkedListener = (file: LinkedFile) => void;

/** The files of a copy that have other names, such as in a backup of hard links, among those to be cut. */
export function linkedFiles(
  directory: string,
  present: readonly PresentFile[],
  cutNames: readonly string[],
): LinkedFile[] {
  return present
    .filter(({ name, linkCount }) => linkCount > 1 && cutNames.includes(name))
    .map(({ name, linkCount }) => ({ path: join(directory, name), linkCount }));
}
