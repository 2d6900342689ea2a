import { Command } from 'commander';
import { InvalidInputError } from '../../errors.js';
import type { NodeRoot } from '../../operations/nodes.js';
import type { Context, ProgressOptions } from '../context.js';
import { nodeOption, noteEmptyRoots } from '../nodes.js';
import type { CommonOptions } from '../options.js';
import { addCommonOptions, addProgressOption, ignoreFormatOption } from '../options.js';

interface Options extends CommonOptions, ProgressOptions {
  readonly node: readonly NodeRoot[];
  readonly ignoreFormat?: boolean;
}

const EXAMPLES = `
Examples:
  $ malachi inventory --node malachi@n1=/var/lib/malachi/data > n1.json
  $ malachi plan-overrun --metadata topics.json --inventory n1.json --inventory n2.json

Exit codes:
  0 every copy was measured   2 invalid input
  3 a copy could not be measured; it is listed without sizes
  4 an unknown log root format`;

export function inventoryCommand(context: Context): Command {
  return addProgressOption(addCommonOptions(new Command('inventory')))
    .summary('list what plan-overrun needs of one host, as JSON')
    .description(
      "Measures the copies in this host's log roots, so that a plan can be made where they are not " +
        'mounted. No segment file is opened; nothing is changed. The answer is always JSON.',
    )
    .addOption(nodeOption())
    .addOption(ignoreFormatOption())
    .addHelpText('after', EXAMPLES)
    .action(async ({ node: nodes, ...options }: Options) => {
      if (nodes.length === 0) throw new InvalidInputError('expected a --node, found none');
      const { takeInventory } = await import('../../operations/take-inventory.js');
      const takenAt = Date.now();
      const inventories = await takeInventory(
        context.disk,
        nodes,
        options,
        context.progress(options),
      );
      noteEmptyRoots(context, nodes);
      const { renderJson } = await import('../../report/json.js');
      await context.output.result(renderJson('inventory', { takenAt, nodes: inventories }));
      for (const problem of inventories.flatMap(({ errors }) => errors)) {
        context.raise(problem.exitCode);
        context.output.error(problem.message);
      }
    });
}
