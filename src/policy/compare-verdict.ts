/*
 * Do the copies of a segment hold the same records? Copies may differ as files (roll points, a blank tail)
 * and still agree: what counts is the bytes of their records, in order.
 */

/**
 * What reading one copy came to. `torn`, `rot` and `bad_index` are refused by verification; `unreadable`
 * is there and could not be read as a whole; `empty` has a directory and no log file; `missing` has none.
 */
export type CopyStatus = 'ok' | 'torn' | 'rot' | 'bad_index' | 'unreadable' | 'empty' | 'missing';

export interface ComparedFile {
  readonly baseOffset: bigint;
  /** Bytes. */
  readonly size: number;
  /** Of the whole file, its tail included. */
  readonly md5: string;
  readonly records: number;
  /** Bytes of the valid frames at its front. */
  readonly valid: number;
}

/** What was measured is `null` for a copy that is missing or unreadable. */
export interface CopyFacts {
  readonly status: CopyStatus;
  /** The `SEALED` marker is there. */
  readonly fenced: boolean | null;
  /** Records, and the bytes of their frames, in the valid prefixes of all files. */
  readonly records: number | null;
  readonly bytes: number | null;
  /** MD5 over the valid prefixes, in order. */
  readonly digest: string | null;
  /** Non-zero bytes behind the valid prefixes. */
  readonly trailing: number | null;
  readonly files: readonly ComparedFile[];
}

/** What the metadata records of a segment. */
export type ControlFacts =
  | { readonly state: 'active'; readonly length: null; readonly byteSize: null }
  | { readonly state: 'sealed'; readonly length: bigint; readonly byteSize: bigint };

export interface SegmentCopies {
  /** `null` without metadata, or if the metadata does not list the segment. */
  readonly control: ControlFacts | null;
  /** Whether the metadata is known not to list it. */
  readonly unlisted: boolean;
  /** By node, each node that is to have a copy; at least one. */
  readonly copies: ReadonlyMap<string, CopyFacts>;
}

/**
 * In the order in which they are tried; the first that holds is the segment's. Verification calls bytes
 * behind the frames torn or rot, so today every copy with garbage is `damaged` first.
 */
export const COMPARE_VERDICTS = [
  'damaged',
  'trailing_garbage',
  'missing',
  'empty',
  'extra',
  'lagging',
  'length_mismatch',
  'content',
  'benign',
  'identical',
] as const;
export type CompareVerdict = (typeof COMPARE_VERDICTS)[number];

export interface SegmentJudgement {
  readonly verdict: CompareVerdict;
  /** The nodes that disagree, in the copies' order: the minority, or all on a tie. */
  readonly nodes: readonly string[];
}

const DAMAGED: readonly CopyStatus[] = ['torn', 'rot', 'bad_index', 'unreadable'];

/** Compares the copies of one segment. */
export function judgeSegment(segment: SegmentCopies): SegmentJudgement {
  const { control, copies } = segment;
  const where = (test: (copy: CopyFacts) => boolean): string[] =>
    [...copies].filter(([, copy]) => test(copy)).map(([node]) => node);
  const all = [...copies.keys()];

  const damaged = where(({ status }) => DAMAGED.includes(status));
  if (damaged.length > 0) return { verdict: 'damaged', nodes: damaged };
  const garbage = where(({ trailing }) => (trailing ?? 0) > 0);
  if (garbage.length > 0) return { verdict: 'trailing_garbage', nodes: garbage };
  const missing = where(({ status }) => status === 'missing');
  if (missing.length > 0) {
    const nobodyHasAny = where(({ records }) => (records ?? 0) > 0).length === 0;
    const noneIsDue = (control?.length ?? 0n) === 0n;
    return { verdict: nobodyHasAny && noneIsDue ? 'benign' : 'missing', nodes: missing };
  }
  const empty = where(({ status }) => status === 'empty');
  if (empty.length > 0) return { verdict: 'empty', nodes: empty };
  if (segment.unlisted) return { verdict: 'extra', nodes: all };

  const lagging = minority(copies, ({ records }) => records);
  if (lagging.length > 0) return { verdict: 'lagging', nodes: lagging };
  if (control?.state === 'sealed') {
    const other = where(({ records }) => BigInt(records ?? 0) !== control.length);
    if (other.length > 0) return { verdict: 'length_mismatch', nodes: other };
  }
  const content = minority(copies, ({ digest }) => digest);
  if (content.length > 0) return { verdict: 'content', nodes: content };
  const otherFiles = minority(copies, fileLayout);
  return { verdict: otherFiles.length > 0 ? 'benign' : 'identical', nodes: otherFiles };
}

/** Tells two copies apart whose files differ in a name or a byte. */
export function fileLayout(copy: CopyFacts): string {
  return copy.files.map(({ baseOffset, md5 }) => `${baseOffset}:${md5}`).join(' ');
}

/** Those outside the largest group of equals; all if two groups are the largest, none if there is one group. */
function minority(
  copies: ReadonlyMap<string, CopyFacts>,
  trait: (copy: CopyFacts) => string | number | null,
): string[] {
  const groups = new Map<string | number | null, number>();
  for (const copy of copies.values()) {
    groups.set(trait(copy), (groups.get(trait(copy)) ?? 0) + 1);
  }
  if (groups.size < 2) return [];
  const most = Math.max(...groups.values());
  const isTie = [...groups.values()].filter((size) => size === most).length > 1;
  return [...copies]
    .filter(([, copy]) => isTie || groups.get(trait(copy)) !== most)
    .map(([node]) => node);
}

/**
 * The nodes whose readable records are not those of the seal: another number, or as many in other bytes.
 * A copy that could not be read is none of them.
 */
export function nodesOffSeal({ control, copies }: SegmentCopies): string[] {
  if (control?.state !== 'sealed') return [];
  const { length, byteSize } = control;
  return [...copies]
    .filter(([, { status, records, bytes }]) => {
      if (status === 'unreadable') return false;
      return BigInt(records ?? 0) !== length || BigInt(bytes ?? 0) !== byteSize;
    })
    .map(([node]) => node);
}
