import * as fs from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

/*
 * What of a directory tree would be left after the power failed: of a file the bytes of its last fsync, and
 * of a directory the names of its last fsync. A file system may keep more of it, and in any order.
 */
interface FileNode {
  readonly kind: 'file';
  durable: Buffer;
  pending: PendingChange[];
}

interface DirectoryNode {
  readonly kind: 'directory';
  durable: Map<string, Node>;
  live: Map<string, Node>;
}

type Node = FileNode | DirectoryNode;

/** A change to a file's bytes that no fsync followed. */
export type PendingChange =
  | { readonly kind: 'write'; readonly position: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly size: number };

export interface PowerLoss {
  /** `synced`: only names made durable are left; `all`: every name is. */
  readonly names: 'synced' | 'all';
  /** Which of the changes without an fsync reached the medium all the same. */
  readonly keep: (change: PendingChange) => boolean;
}

/** Follows the changes below `root`; everything there at the start counts as durable. */
export class DurableImage {
  readonly #root: string;
  readonly #tree: DirectoryNode;

  constructor(root: string) {
    this.#root = resolve(root);
    this.#tree = load(this.#root);
  }

  created(path: string, kind: Node['kind']): void {
    const node: Node =
      kind === 'file'
        ? { kind, durable: Buffer.alloc(0), pending: [] }
        : { kind, durable: new Map(), live: new Map() };
    this.#parent(path)?.live.set(basename(path), node);
  }

  removed(path: string): void {
    this.#parent(path)?.live.delete(basename(path));
  }

  renamed(from: string, to: string): void {
    const node = this.node(from);
    this.removed(from);
    if (node) this.#parent(to)?.live.set(basename(to), node);
  }

  directorySynced(path: string): void {
    const node = this.node(path);
    if (node?.kind === 'directory') node.durable = new Map(node.live);
  }

  /** What stands at `path` now; `undefined` outside the root. */
  node(path: string): Node | undefined {
    const way = relative(this.#root, resolve(path));
    if (way === '') return this.#tree;
    let node: Node | undefined = this.#tree;
    for (const name of way.split(sep)) {
      node = node?.kind === 'directory' ? node.live.get(name) : undefined;
    }
    return node;
  }

  /** Puts the tree on disk as the power loss would leave it. */
  restore(loss: PowerLoss): void {
    for (const name of fs.readdirSync(this.#root)) {
      fs.rmSync(join(this.#root, name), { recursive: true });
    }
    store(this.#tree, this.#root, loss);
  }

  #parent(path: string): DirectoryNode | undefined {
    const node = this.node(dirname(path));
    return node?.kind === 'directory' ? node : undefined;
  }
}

export function changed(node: Node | undefined, change: PendingChange): void {
  if (node?.kind === 'file') node.pending.push(change);
}

export function synced(node: Node | undefined): void {
  if (node?.kind !== 'file') return;
  node.durable = replay(node.durable, node.pending);
  node.pending = [];
}

function replay(durable: Buffer, changes: readonly PendingChange[]): Buffer {
  let bytes = Buffer.from(durable);
  for (const change of changes) {
    const end = change.kind === 'truncate' ? change.size : change.position + change.bytes.length;
    if (change.kind === 'truncate' && end < bytes.length) bytes = bytes.subarray(0, end);
    if (end > bytes.length) bytes = Buffer.concat([bytes, Buffer.alloc(end - bytes.length)]);
    if (change.kind === 'write') bytes.set(change.bytes, change.position);
  }
  return bytes;
}

function load(path: string): DirectoryNode {
  const live = new Map<string, Node>();
  for (const entry of fs.readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) live.set(entry.name, load(child));
    if (entry.isFile()) {
      live.set(entry.name, { kind: 'file', durable: fs.readFileSync(child), pending: [] });
    }
  }
  return { kind: 'directory', live, durable: new Map(live) };
}

function store(directory: DirectoryNode, path: string, loss: PowerLoss): void {
  for (const [name, node] of loss.names === 'all' ? directory.live : directory.durable) {
    const child = join(path, name);
    if (node.kind === 'file') {
      fs.writeFileSync(child, replay(node.durable, node.pending.filter(loss.keep)));
    } else {
      fs.mkdirSync(child);
      store(node, child, loss);
    }
  }
}
