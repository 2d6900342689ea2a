import { isNodeName } from '../control-plane/copy-key.js';
import type { Disk } from '../disk/disk.js';
import { isMissing } from '../disk/durable.js';
import { InvalidInputError } from '../errors.js';

/** A node and where its log root is mounted here. */
export interface NodeRoot {
  readonly node: string;
  readonly root: string;
}

/**
 * Parses `NAME=LOG_ROOT`. A node's name holds no slash; the root may hold further equals signs.
 *
 * @throws {InvalidInputError} if it is anything else.
 */
export function parseNodeRoot(text: string): NodeRoot {
  const equals = text.indexOf('=');
  const node = text.slice(0, Math.max(0, equals));
  const root = text.slice(equals + 1);
  if (!isNodeName(node) || root === '') {
    throw new InvalidInputError(
      `--node: expected NAME=LOG_ROOT, such as malachi@n1=/data, found ${JSON.stringify(text)}`,
    );
  }
  return { node, root };
}

/**
 * Refuses a name given twice, a root that is no directory, and one directory under two names, links followed:
 * one copy would count as two replicas.
 *
 * @throws {InvalidInputError}
 */
export function checkNodeRoots(disk: Disk, nodes: readonly NodeRoot[]): void {
  const names = new Set<string>();
  const holders = new Map<string, string>();
  for (const { node, root } of nodes) {
    if (names.has(node)) {
      throw new InvalidInputError(`--node ${node}: expected each node once, found it again`);
    }
    names.add(node);
    const identity = directoryIdentity(disk, { node, root });
    const holder = holders.get(identity);
    if (holder !== undefined) {
      throw new InvalidInputError(
        `--node ${node}=${root}: expected a log root of its own, found that of ${holder}`,
      );
    }
    holders.set(identity, node);
  }
}

function directoryIdentity(disk: Disk, { node, root }: NodeRoot): string {
  try {
    const { kind, identity } = disk.stat(root);
    if (kind === 'directory') return identity;
  } catch (error) {
    if (!isMissing(error)) return root;
    throw new InvalidInputError(`--node ${node}=${root}: no such file or directory`, 'ENOENT');
  }
  throw new InvalidInputError(
    `--node ${node}=${root}: expected a log root, found no directory`,
    'ENOTDIR',
  );
}
