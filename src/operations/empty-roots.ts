import { basename, join } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { isThere } from '../disk/durable.js';
import { MalachiError } from '../errors.js';
import { FORMAT_MARKER, isForeignName, isShardName, parseSegmentName } from '../format/names.js';
import type { NodeRoot } from './nodes.js';

/**
 * The given roots with nothing in them that a node writes: a wrong level of the tree, or a volume that is not
 * mounted. A root that cannot be read is not among them: that is told as what it is.
 */
export function emptyRoots(disk: Disk, nodes: readonly NodeRoot[]): NodeRoot[] {
  return nodes.filter(({ root }) => {
    try {
      return !isThere(disk, join(root, FORMAT_MARKER)) && !holdsCopy(disk, root);
    } catch (error) {
      if (error instanceof MalachiError) return false;
      throw error;
    }
  });
}

function holdsCopy(disk: Disk, directory: string): boolean {
  const names = disk.readDirectory(directory).map(({ name }) => name);
  if (names.some((name) => parseSegmentName(name) !== null || isForeignName(name))) return true;
  if (isShardName(basename(directory))) return false;
  return names.some((name) => isShardName(name) && holdsCopy(disk, join(directory, name)));
}
