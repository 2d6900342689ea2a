import type { ComparedSegment, Comparison } from '../operations/compare.js';
import type { CompareVerdict, CopyFacts } from '../policy/compare-verdict.js';
import { COMPARE_VERDICTS } from '../policy/compare-verdict.js';
import { closingLines, compareRemarks, passes } from './compare-closing.js';
import type { Style } from './style.js';
import { proseColumns } from './style.js';
import type { Column } from './table.js';
import { renderTable } from './table.js';
import { number, wrap } from './words.js';

const SEGMENT_COLUMNS: readonly Column[] = [
  { head: 'SEGMENT' },
  { head: 'CONTROL' },
  { head: 'RECORDS', align: 'right' },
  { head: 'VERDICT' },
  { head: 'NODES', flexible: true },
];

const COPY_COLUMNS: readonly Column[] = [
  { head: 'SEGMENT' },
  { head: 'NODE', flexible: true },
  { head: 'STATE' },
  { head: 'SEAL' },
  { head: 'FILES', align: 'right' },
  { head: 'RECORDS', align: 'right' },
  { head: 'BYTES', align: 'right' },
  { head: 'DIGEST' },
];

const OFF_SEAL_COLUMNS: readonly Column[] = [
  { head: 'SEGMENT' },
  { head: 'SEALED AT', align: 'right' },
  { head: 'NOT AT THE SEAL (RECORDS)' },
];

/** Enough to tell digests apart; all of them are in the JSON. */
const SHOWN_DIGEST = 8;

/** What to know and to do where a verdict does not pass. */
const ADVICE: Readonly<Record<CompareVerdict, string | null>> = {
  damaged:
    'damaged: verification refuses the copy, or it cannot be read. Next: malachi inspect PATH; what is whole, malachi salvage gets back.',
  trailing_garbage:
    'trailing_garbage: bytes that are no record stand behind the valid end. Next: malachi inspect PATH --hex.',
  missing:
    'missing: a node of the replica set has no such directory; a backfill from a good copy brings it back. Check that the right volume is mounted.',
  empty: 'empty: the directory is there, without a log file; a backfill from a good copy fills it.',
  extra:
    'extra: the metadata does not list the segment. Is the snapshot complete? Else the node will delete the directory.',
  lagging:
    'lagging: only says that the numbers of records differ. NODES are the minority, and the minority may be right: where a seal is recorded, see which copies are not at it. Past a seal: malachi settle. Short of it: a backfill.',
  length_mismatch:
    'length_mismatch: the copies agree, and not with the recorded length. Past it: malachi settle. Short of it: records are lost, keep every copy.',
  content:
    'content: as many records, in other bytes. Next: malachi dump each copy and diff them; nothing here says which one is right.',
  benign: null,
  identical: null,
};

export interface CompareReportOptions {
  /** Also show a line for each copy. */
  readonly copies: boolean;
}

/** The answer for a person: a line a segment, what to do about each kind of disagreement, and a sum. */
export function renderComparison(
  answer: Comparison,
  options: CompareReportOptions,
  style: Style,
): string {
  const { segments } = answer;
  let text = '';
  if (segments.length > 0) {
    text += `${renderTable(
      SEGMENT_COLUMNS,
      segments.map((segment) => segmentRow(segment, answer, style)),
      style,
    )}\n`;
  }
  if (options.copies && segments.length > 0) {
    text += `${renderTable(COPY_COLUMNS, segments.flatMap(copyRows), style)}\n`;
  }
  text += renderOffSeal(segments, style);
  const lines = [...advice(answer), ...compareRemarks(answer)];
  const width = proseColumns(style);
  for (const line of lines) text += `${wrap(line, width - 2).join('\n  ')}\n`;
  const closing = closingLines(answer, (verdict) => paintVerdict(verdict, style), style);
  return `${text}${lines.length > 0 ? '\n' : ''}${closing}`;
}

/** The copies that are not what the control plane recorded, whoever is in the minority. */
function renderOffSeal(segments: readonly ComparedSegment[], style: Style): string {
  const rows = segments.flatMap(({ segment, control, copies, offSeal }) => {
    if (control?.state !== 'sealed' || offSeal.length === 0) return [];
    const nodes = offSeal.map((node) => `${node} (${heldText(copies.get(node), control.length)})`);
    return [[segment, number(control.length), nodes.join(', ')]];
  });
  return rows.length === 0 ? '' : `${renderTable(OFF_SEAL_COLUMNS, rows, style)}\n`;
}

function heldText(copy: CopyFacts | undefined, length: bigint): string {
  const records = copy?.records ?? null;
  if (!copy || records === null) return copy?.status ?? 'missing';
  return BigInt(records) === length ? 'other bytes' : number(records);
}

function segmentRow(segment: ComparedSegment, { summary }: Comparison, style: Style) {
  const { verdict, control, copies, nodes } = segment;
  const counts = [...copies.values()].map(({ records }) => records?.toString() ?? '-');
  const state =
    control === null
      ? summary.control === 'unavailable'
        ? '-'
        : segment.unlisted
          ? 'not listed'
          : 'unknown'
      : control.state === 'sealed'
        ? `sealed at ${control.length}`
        : 'active';
  return [
    segment.segment,
    state,
    new Set(counts).size === 1 ? (counts[0] ?? '-') : counts.join('/'),
    { text: verdict, paint: paintVerdict(verdict, style) },
    nodes.length > 1 && nodes.length === copies.size ? `all ${nodes.length}` : nodes.join(' '),
  ];
}

function paintVerdict(verdict: CompareVerdict, style: Style): (text: string) => string {
  const { green, yellow, red } = style.chalk;
  if (passes(verdict)) return green;
  return verdict === 'lagging' || verdict === 'extra' ? yellow : red;
}

function copyRows({ segment, copies, control, offSeal }: ComparedSegment): string[][] {
  return [...copies].map(([node, copy]) => [
    segment,
    node,
    copy.fenced === true ? `${copy.status}, fenced` : copy.status,
    control?.state === 'sealed' ? (offSeal.includes(node) ? 'off' : 'met') : '',
    copy.status === 'missing' || copy.status === 'unreadable' ? '-' : number(copy.files.length),
    measured(copy.records),
    measured(copy.bytes),
    copy.digest?.slice(0, SHOWN_DIGEST) ?? '-',
  ]);
}

function measured(value: CopyFacts['records']): string {
  return value === null ? '-' : number(value);
}

function advice({ segments }: Comparison): string[] {
  return COMPARE_VERDICTS.filter((verdict) =>
    segments.some((segment) => segment.verdict === verdict),
  ).flatMap((verdict) => ADVICE[verdict] ?? []);
}
