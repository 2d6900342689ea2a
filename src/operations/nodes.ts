import { isNodeName } from '../control-plane/copy-key.js';
import type { Disk } from '../disk/disk.js';
import { isMissing } from '../disk/durable.js';
import { InvalidInputError } from '../errors.js';
import { checkFormat } from './log-root.js';

/** One node's name and where its log root is mounted. */
export interface NodeRoot {
  readonly node: string;
  readonly root: string;
}

/** Parses `NAME=LOG_ROOT`. @throws InvalidInputError if it is no such pair. */
export function parseNodeRoot(text: string): NodeRoot {
  const equals = text.indexOf('=');
  const node = text.slice(0, Math.max(0, equals));
  const root = text.slice(equals + 1);
  if (!isNodeName(node) || root === '') {
    throw new InvalidInputError(
      `--node: expected NAME=LOG_ROOT, such as malachi@n1=/mnt/n1/data, found ${JSON.stringify(text)}`,
    );
  }
  return { node, root };
}

/**
 * Refuses what would make one copy look like two, or two like one: a name twice, or one directory under
 * two names, links resolved.
 *
 * @throws InvalidInputError for those, and for a root that is no directory.
 * @throws RefusedError `EFORMAT` for a root in a format that is not understood, unless `ignoreFormat`.
 */
export function checkNodeRoots(
  disk: Disk,
  roots: readonly NodeRoot[],
  { ignoreFormat = false }: { readonly ignoreFormat?: boolean } = {},
): void {
  const names = new Set<string>();
  const byIdentity = new Map<string, NodeRoot>();
  for (const { node, root } of roots) {
    if (names.has(node)) {
      throw new InvalidInputError(
        `--node ${JSON.stringify(node)}: expected each name once, found it again`,
      );
    }
    names.add(node);
    const identity = directoryIdentity(disk, root);
    const other = byIdentity.get(identity);
    if (other) {
      throw new InvalidInputError(
        `--node ${JSON.stringify(node)}: expected a log root of its own, found ${root} to be the directory of ${JSON.stringify(other.node)}`,
      );
    }
    byIdentity.set(identity, { node, root });
    if (!ignoreFormat) checkFormat(disk, root);
  }
}

function directoryIdentity(disk: Disk, root: string): string {
  try {
    const { kind, identity } = disk.stat(root);
    if (kind === 'directory') return identity;
  } catch (error) {
    // A root that cannot be reached is named once it is read, and stops no other.
    if (!isMissing(error)) return root;
    throw new InvalidInputError(`${root}: no such file or directory`, 'ENOENT');
  }
  throw new InvalidInputError(`${root}: expected a log root, a directory, found a file`);
}
