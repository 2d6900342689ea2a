import { dirname, resolve } from 'node:path';
import type { Disk } from '../../disk/disk.js';
import { InvalidInputError } from '../../errors.js';
import type { TargetOptions, Targets } from '../inspect-targets.js';
import { resolveTargets } from '../inspect-targets.js';

/**
 * The files of one log: of a segment directory, or a single `.log` file.
 *
 * @throws InvalidInputError if the path is neither, or is not there; RefusedError for an unknown format.
 */
export function resolveCopy(disk: Disk, path: string, options: TargetOptions): Targets {
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
