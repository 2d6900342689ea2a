import { parseSegmentName } from '../format/names.js';
import { isNodeName, parseCopyKey } from './copy-key.js';
import { refuseOtherSchema } from './inventory.js';
import { parseJson, type JsonNode } from './json-node.js';
import type { SourceText } from './snapshot.js';

export const PLAN_SCHEMA = 'malachi.plan-overrun/1';

/** One copy to settle, and the sizes that it was planned from. */
export interface PlannedAction {
  readonly replica: string;
  readonly segment: string;
  readonly startOffset: bigint;
  /** The control plane's end, never the copy's. */
  readonly endOffset: bigint;
  /** Bytes of the sealed records' frames, as the control plane has them. */
  readonly recordedBytes: bigint;
  /** Bytes of the copy's log files when the plan was made. */
  readonly storedBytes: bigint;
  readonly surplusBytes: bigint;
}

/** A saved batch, as far as settling needs it. */
export interface SavedPlan {
  readonly batchSize: bigint;
  /** `SEGMENT/NODE` just past which the batch started. */
  readonly after: string | null;
  readonly actions: readonly PlannedAction[];
  readonly nextAfter: string | null;
  /** Copies that were found unsettled, those of the batch included. */
  readonly unsettled: bigint;
  /** Unsettled copies that the batch left out. */
  readonly remaining: bigint;
}

/**
 * Reads a document that `malachi plan-overrun --json` wrote. Actions may have been taken out of it. An action
 * that ends below its start is let through: settling refuses it by itself, and answers for the others.
 *
 * @throws {InvalidInputError} naming the JSON pointer, what was expected and what was found.
 */
export function parsePlan({ name, text }: SourceText): SavedPlan {
  const root = parseJson(name, text).object('a plan, an object');
  refuseOtherSchema(root, PLAN_SCHEMA);
  const batchSize = root.field('batch_size');
  if (batchSize.u64() === 0n) throw batchSize.error('a whole number of 1 or more');
  return {
    batchSize: batchSize.u64(),
    after: root.field('after').nullable(readKey),
    actions: readActions(root.field('actions')),
    nextAfter: root.field('next_after').nullable(readKey),
    unsettled: root.field('unsettled').u64(),
    remaining: root.field('remaining').u64(),
  };
}

function readKey(node: JsonNode): string {
  const key = node.text('SEGMENT/NODE, or null');
  parseCopyKey(key, node.place);
  return key;
}

function readActions(list: JsonNode): PlannedAction[] {
  const keys = new Set<string>();
  const actions: PlannedAction[] = [];
  for (const element of list.elements('an array of actions')) {
    const action = readAction(element);
    const key = `${action.segment}/${action.replica}`;
    if (keys.has(key)) throw element.error('each copy once', `${key} again`);
    keys.add(key);
    actions.push(action);
  }
  return actions;
}

function readAction(element: JsonNode): PlannedAction {
  const replica = element.object('an action, an object').field('replica');
  const segment = element.field('segment');
  const storedNode = element.field('stored_bytes');
  const surplusNode = element.field('surplus_bytes');
  if (!isNodeName(replica.text('the name of a node')))
    throw replica.error('a name without a slash');
  if (!parseSegmentName(segment.text("a segment's name"))) {
    throw segment.error('a segment such as events-r0-s3');
  }
  const recordedBytes = element.field('recorded_bytes').u64();
  const storedBytes = storedNode.u64();
  if (storedBytes <= recordedBytes) throw storedNode.error(`more than ${recordedBytes}`);
  const surplusBytes = storedBytes - recordedBytes;
  if (surplusNode.u64() !== surplusBytes) throw surplusNode.error(String(surplusBytes));
  return {
    replica: replica.text('the name of a node'),
    segment: segment.text("a segment's name"),
    startOffset: element.field('start_offset').u64(),
    endOffset: element.field('end_offset').u64(),
    recordedBytes,
    storedBytes,
    surplusBytes,
  };
}
