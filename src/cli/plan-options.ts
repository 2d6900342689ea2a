import type { Command } from 'commander';
import { Option } from 'commander';
import { parseCopyKey, type CopyKey } from '../control-plane/copy-key.js';
import type { NodeRoot } from '../operations/nodes.js';
import type { PlanInputs } from '../operations/plan-overrun.js';
import { metadataOption, nodeOption } from './nodes.js';
import { ignoreFormatOption, wholeNumber } from './options.js';

/** The options of every command that plans from metadata and copies, as commander hands them over. */
export interface PlanOptions {
  readonly metadata: readonly string[];
  readonly node: readonly NodeRoot[];
  readonly inventory?: string[];
  readonly batchSize: number;
  readonly after?: CopyKey;
  readonly replicationFactor?: number;
  readonly partial?: boolean;
  readonly failed?: CopyKey[];
  readonly ignoreFormat?: boolean;
}

const DEFAULT_BATCH_SIZE = 64;

/** Adds what says which copies there are, which to plan, and from where on. */
export function addPlanOptions(command: Command): Command {
  return command
    .addOption(metadataOption())
    .addOption(nodeOption())
    .addOption(
      repeatable('--inventory <file>', 'what malachi inventory wrote on another host', String),
    )
    .addOption(
      new Option('--batch-size <n>', 'most copies to plan')
        .argParser(wholeNumber(1))
        .default(DEFAULT_BATCH_SIZE),
    )
    .addOption(
      new Option('--after <segment/node>', 'start just past this copy, and wrap around').argParser(
        (text) => parseCopyKey(text, '--after'),
      ),
    )
    .addOption(
      new Option(
        '--replication-factor <n>',
        'skip segments with fewer replicas (default: none is)',
      ).argParser(wholeNumber(1)),
    )
    .addOption(new Option('--partial', 'also segments with a replica whose node is not supplied'))
    .addOption(
      repeatable('--failed <segment/node>', 'a copy latched as failed: leave it out', (text) =>
        parseCopyKey(text, '--failed'),
      ),
    )
    .addOption(ignoreFormatOption());
}

export function toPlanInputs(options: PlanOptions): PlanInputs {
  const { ignoreFormat } = options;
  return {
    metadata: options.metadata,
    nodes: options.node,
    inventories: options.inventory ?? [],
    batchSize: options.batchSize,
    after: options.after ?? null,
    replicationFactor: options.replicationFactor ?? null,
    partial: options.partial === true,
    failed: options.failed ?? [],
    ...(ignoreFormat !== undefined && { ignoreFormat }),
  };
}

/** An option whose values are collected in the order of the command line. */
function repeatable<T>(flags: string, description: string, parse: (text: string) => T): Option {
  const collect = (text: string, earlier: T[] | undefined): T[] => [
    ...(earlier ?? []),
    parse(text),
  ];
  return new Option(flags, description).argParser<T[] | undefined>(collect);
}
