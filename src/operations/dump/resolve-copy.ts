import { basename, dirname, resolve } from 'node:path';
import type { Disk } from '../../disk/disk.js';
import { isMissing } from '../../disk/durable.js';
import { InvalidInputError } from '../../errors.js';
import { parseLogName } from '../../format/names.js';
import type { TargetOptions, Targets } from '../inspect-targets.js';
import { resolveTargets } from '../inspect-targets.js';

/**
 * The files of one log: of a segment directory, or a single file, whatever its name is.
 *
 * @throws InvalidInputError if the path is neither, or is not there; RefusedError for an unknown format.
 */
export function resolveCopy(disk: Disk, path: string, options: TargetOptions): Targets {
  if (parseLogName(basename(path)) === null && isFile(disk, path)) return freeFile(path);
  const targets = resolveTargets(disk, [path], options);
  const absolute = resolve(path);
  const isRoot = targets.files.some((file) => {
    const filePath = resolve(file.path);
    return filePath !== absolute && dirname(filePath) !== absolute;
  });
  if (isRoot) {
    throw new InvalidInputError(
      `${path}: expected a .log file or a segment directory, found a log root: name one of its copies`,
    );
  }
  return targets;
}

function isFile(disk: Disk, path: string): boolean {
  try {
    return disk.stat(path).kind === 'file';
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** A file that no log would name so, such as a copy or a salvage: nothing beside it belongs to it. */
function freeFile(path: string): Targets {
  const segment = basename(dirname(resolve(path)));
  const file = { path, segment, baseOffset: 0n, sealed: false, indexed: false, fenced: false };
  return { files: [file], problems: [] };
}
