import { basename, join } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { RefusedError } from '../errors.js';
import type { CopyFileName } from '../format/names.js';
import {
  LOG_SUFFIX,
  RECOVERING_MARKER,
  RESTORING_MARKER,
  SETTLING_MARKER,
  parseCopyFileName,
} from '../format/names.js';

/** One file of a log, as it stands in a copy's directory. */
export interface PresentFile extends CopyFileName {
  readonly name: string;
  readonly sizeBytes: number;
  readonly mtimeNs: bigint;
  /** Names that the file has, this one included. */
  readonly linkCount: number;
}

/** What says that work on the copy was cut short. */
const NOTES: readonly string[] = [SETTLING_MARKER, RESTORING_MARKER, RECOVERING_MARKER];

/**
 * Lists the files of the log in a copy that is to be changed. Other files are none of the toolkit's, and are
 * left out.
 *
 * @param root the log root in which the copy must lie, links resolved.
 * @throws RefusedError `ELINK` if the directory or a file of the log is not really there but a link (or no
 *   regular file), `EBADNAME` if a `.log` file is not named by its first offset.
 */
export function listForChange(disk: Disk, root: string, directory: string): PresentFile[] {
  requireRealDirectory(disk, root, directory);
  const files: PresentFile[] = [];
  for (const { name } of disk.readDirectory(directory)) {
    const path = join(directory, name);
    const parsed = parseCopyFileName(name);
    if (!parsed) {
      if (name.endsWith(LOG_SUFFIX)) {
        const expected = `a name like <20 digits>${LOG_SUFFIX}`;
        throw new RefusedError('EBADNAME', `${path}: refused, expected ${expected}`);
      }
      if (!NOTES.includes(name)) continue;
    }
    const { kind, size, mtimeNs, linkCount } = disk.lstat(path);
    if (kind !== 'file') {
      const found = kind === 'other' ? 'special file' : kind;
      throw new RefusedError(
        'ELINK',
        `${path}: refused, expected a regular file, found a ${found}`,
      );
    }
    if (parsed) files.push({ ...parsed, name, sizeBytes: size, mtimeNs, linkCount });
  }
  return files;
}

function requireRealDirectory(disk: Disk, root: string, directory: string): void {
  const found = disk.realPath(directory);
  const isBelow = found.startsWith(root.endsWith('/') ? root : `${root}/`);
  if (disk.lstat(directory).kind !== 'directory' || !isBelow) {
    throw new RefusedError(
      'ELINK',
      `${directory}: refused, the copy ${basename(directory)} lies elsewhere, at ${found}, behind a symbolic link`,
    );
  }
}

/** Whether two listings of a copy are of the same files, as far as their names, sizes and times tell. */
export function isSameListing(then: readonly PresentFile[], now: readonly PresentFile[]): boolean {
  const render = (files: readonly PresentFile[]): string =>
    files.map(({ name, sizeBytes, mtimeNs }) => `${name} ${sizeBytes} ${mtimeNs}`).join('\n');
  return render(then) === render(now);
}
