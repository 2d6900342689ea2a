import type { CopyName } from '../policy/orphaned-fence.js';
import { measuredNothing, type PlanAnswer } from '../operations/plan-overrun.js';
import type { SkipReason } from '../policy/skipped-copies.js';
import type { Style } from './style.js';
import { proseColumns } from './style.js';
import { safeText } from './safe-text.js';
import { renderTable, type Cell, type Column } from './table.js';
import { count, number, sentenceList, wrap } from './words.js';

/** More rows than this nobody reads; a program has them in the JSON. */
const SHOWN_ROWS = 1000;
/** Named as `--after` and `--failed` take it. */
const COPY: Column = { head: 'COPY', flexible: true };

const ACTION_COLUMNS: readonly Column[] = [
  COPY,
  { head: 'START', align: 'right' },
  { head: 'END', align: 'right' },
  { head: 'SURPLUS', align: 'right' },
];

const SHORT_COLUMNS: readonly Column[] = [
  COPY,
  { head: 'RECORDED', align: 'right' },
  { head: 'STORED', align: 'right' },
];

const SKIP_COLUMNS: readonly Column[] = [COPY, { head: 'REASON' }];

const REASONS: Readonly<Record<SkipReason, string>> = {
  active: 'the segment is not sealed, so no length is decided',
  under_replicated:
    'the segment has fewer replicas than the replication factor; repair comes first',
  replica_not_supplied:
    "this replica's node is not supplied, so the segment waits; --partial plans the other replicas",
  unreadable: 'this copy could not be measured, so the segment waits; --partial plans the others',
  failed: 'latched as failed',
  foreign_id: 'the id and the directory of the segment cannot be matched',
  not_in_metadata: 'the metadata does not list the segment',
  not_a_replica: 'the replica set of the segment does not name this node',
};

/** The answer for a person: the batch and its cursor, then what it leaves out and why. */
export function renderPlan(plan: PlanAnswer, style: Style): string {
  const sections = [
    renderBatch(plan, style),
    renderShort(plan, style),
    renderFences(plan, style),
    renderConfirmed(plan, style),
    renderSkipped(plan, style),
    closing(plan, style),
  ];
  return sections.filter((section) => section !== '').join('\n');
}

function renderBatch(plan: PlanAnswer, style: Style): string {
  const { actions, unsettled, remaining, nextAfter } = plan;
  if (nextAfter === null) return '';
  const title = `Unsettled: ${count(unsettled, 'copy', 'copies')} above the recorded size`;
  const rows = actions.map((action) => [
    copyText(action),
    action.startOffset.toString(),
    action.endOffset.toString(),
    number(action.surplusBytes),
  ]);
  const rest =
    remaining === 0
      ? 'This batch holds all of them. A pass behind it would start with:'
      : `This batch holds ${number(actions.length)}, and leaves ${number(remaining)}. The next one:`;
  return (
    heading(title, style.chalk.yellow, style) +
    renderRows(ACTION_COLUMNS, rows, style) +
    paragraph(rest, style) +
    // Not wrapped: it is there to be pasted.
    `  --after '${safeText(nextAfter).replaceAll("'", `'\\''`)}'\n` +
    paragraph(
      'To settle: save the plan (--json > plan.json), and on each host run ' +
        'malachi settle --plan plan.json --node NAME=LOG_ROOT, first without --apply.',
      style,
    )
  );
}

function renderShort({ short }: PlanAnswer, style: Style): string {
  if (short.length === 0) return '';
  const rows = short.map((copy) => [
    copyText(copy),
    number(copy.recordedBytes),
    number(copy.storedBytes),
  ]);
  return (
    heading(
      `Short: ${count(short.length, 'copy', 'copies')} below the recorded size`,
      style.chalk.red,
      style,
    ) +
    renderRows(SHORT_COLUMNS, rows, style) +
    paragraph(
      'Settling does not help these: a short copy is repaired by a backfill. Start its node and let it ' +
        'catch up from a healthy replica, and keep that replica until then. A fence does not stop a backfill.',
      style,
    )
  );
}

function renderFences({ orphanedFences }: PlanAnswer, style: Style): string {
  if (orphanedFences.length === 0) return '';
  return (
    heading(
      `Orphaned: ${count(orphanedFences.length, 'fence')} on the primary of an active segment`,
      style.chalk.red,
      style,
    ) +
    renderRows(
      [COPY],
      orphanedFences.map((copy) => [copyText(copy)]),
      style,
    ) +
    paragraph(
      'Their primary refuses every append while the control plane still sends it writes. The control ' +
        'plane has to seal such a segment; there is no length yet to settle a copy at.',
      style,
    )
  );
}

function renderConfirmed({ confirmed }: PlanAnswer, style: Style): string {
  if (confirmed.length === 0) return '';
  return (
    heading(
      `Confirmed: ${count(confirmed.length, 'copy', 'copies')} above the recorded size, with the records of the seal`,
      style.chalk.green,
      style,
    ) +
    renderRows(
      [COPY],
      confirmed.map((copy) => [copyText(copy)]),
      style,
    )
  );
}

function renderSkipped({ skipped }: PlanAnswer, style: Style): string {
  if (skipped.length === 0) return '';
  const rows = skipped.map(({ segment, replica, reason }) => [
    replica === null ? segment : copyText({ segment, replica }),
    reason,
  ]);
  const reasons = [...new Set(skipped.map(({ reason }) => reason))].sort();
  const legend = reasons
    .map((reason) => paragraph(`${reason}: ${REASONS[reason]}`, style))
    .join('');
  return (
    heading('Skipped', style.chalk.dim, style) + renderRows(SKIP_COLUMNS, rows, style) + legend
  );
}

function closing(plan: PlanAnswer, style: Style): string {
  const { yellow, red, green } = style.chalk;
  const parts: string[] = [];
  if (plan.unsettled > 0) parts.push(yellow(`${number(plan.unsettled)} unsettled`));
  if (plan.short.length > 0) parts.push(red(`${number(plan.short.length)} short`));
  if (plan.confirmed.length > 0) parts.push(green(`${number(plan.confirmed.length)} confirmed`));
  if (plan.orphanedFences.length > 0) {
    parts.push(red(count(plan.orphanedFences.length, 'orphaned fence')));
  }
  const held = `${count(plan.measured, 'copy', 'copies')} held against a seal`;
  const failed =
    plan.errors.length > 0 ? `; ${count(plan.errors.length, 'path')} could not be measured` : '';
  const nothing = measuredNothing(plan)
    ? 'Nothing was measured: give the other nodes or their inventories, or plan with --partial; and see that the metadata is that of these nodes.'
    : '';
  const found = parts.length > 0 ? `: ${sentenceList(parts)}` : '';
  return paragraph(`${held}${found}${failed}.`, style) + (nothing && paragraph(nothing, style));
}

function copyText({ segment, replica }: CopyName): string {
  return `${segment}/${replica}`;
}

function renderRows(
  columns: readonly Column[],
  rows: readonly (readonly (Cell | string)[])[],
  style: Style,
): string {
  const hidden = Math.max(0, rows.length - SHOWN_ROWS);
  const more = hidden > 0 ? `… and ${number(hidden)} more, all of them in --json\n` : '';
  return renderTable(columns, rows.slice(0, SHOWN_ROWS), style) + more;
}

function heading(text: string, paint: (text: string) => string, style: Style): string {
  return `${style.chalk.bold(paint(text))}\n`;
}

function paragraph(text: string, style: Style): string {
  return `${wrap(text, proseColumns(style)).join('\n')}\n`;
}
