import { parseCopyFileName } from '../format/names.js';

/** What is to become of one file of a copy. Sizes in bytes. */
export type FileChange =
  /** A log file keeps its first bytes and has zeros from there to its new size. */
  | {
      readonly kind: 'cut';
      readonly name: string;
      readonly keepBytes: number;
      readonly sizeBytes: number;
    }
  | { readonly kind: 'remove'; readonly name: string }
  /** A sidecar or a marker gets these bytes, whether or not it was there. */
  | { readonly kind: 'write'; readonly name: string; readonly bytes: Uint8Array };

/**
 * Puts changes into an order in which the copy is, after each of them, a log that holds every record that
 * it is to keep: the sidecar of a cut file first, so that it never points past the file's end; then the
 * files that go, from the highest down, each after what belongs to it; then the cuts; then what seals the
 * files that stay; then the fence, so that nothing is ever fenced above its end; and last what vouches for it.
 */
export function orderChanges(changes: readonly FileChange[]): FileChange[] {
  const cutFiles = new Set<bigint | null>();
  for (const { kind, name } of changes) if (kind === 'cut') cutFiles.add(baseOf(name));
  const ranked = changes.map((change) => ({ change, rank: rankOf(change, cutFiles) }));
  return ranked.sort((a, b) => compareRanks(a.rank, b.rank)).map(({ change }) => change);
}

const KINDS = ['sidecar', 'sealed', 'log', 'fence', 'settled'] as const;

/** Phase, then position in it, then the kind of file. */
type Rank = readonly [phase: number, position: bigint, kind: number];

function rankOf(change: FileChange, cutFiles: ReadonlySet<bigint | null>): Rank {
  const parsed = parseCopyFileName(change.name);
  if (!parsed) throw new RangeError(`${change.name} is no file of a log`);
  const base = parsed.baseOffset ?? 0n;
  const kind = KINDS.indexOf(parsed.kind);
  switch (change.kind) {
    case 'remove':
      return parsed.kind === 'settled' ? [0, 0n, 0] : [2, -base, kind];
    case 'cut':
      return [3, -base, 0];
    case 'write':
      if (parsed.kind === 'sidecar' && cutFiles.has(parsed.baseOffset)) return [1, -base, 0];
      return parsed.baseOffset === null ? [5, 0n, kind] : [4, base, kind];
  }
}

function compareRanks(a: Rank, b: Rank): number {
  if (a[1] !== b[1] && a[0] === b[0]) return a[1] < b[1] ? -1 : 1;
  return a[0] - b[0] || a[2] - b[2];
}

function baseOf(name: string): bigint | null {
  return parseCopyFileName(name)?.baseOffset ?? null;
}
