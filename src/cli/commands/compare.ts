import { Command } from 'commander';
import { InvalidInputError } from '../../errors.js';
import type { NodeRoot } from '../../operations/nodes.js';
import { safeText } from '../../report/safe-text.js';
import type { Context, RunnerOptions } from '../context.js';
import { metadataOption, nodeOption, noteEmptyRoots } from '../nodes.js';
import type { CommonOptions } from '../options.js';
import { addCommonOptions, addRunnerOptions, ignoreFormatOption } from '../options.js';

interface Options extends CommonOptions, RunnerOptions {
  readonly node: readonly NodeRoot[];
  readonly metadata: readonly string[];
  readonly copies?: boolean;
  readonly ignoreFormat?: boolean;
}

const EXAMPLES = `
Examples:
  $ malachi compare --node malachi@n1=/mnt/n1 --node malachi@n2=/mnt/n2 \\
      --metadata events.json --copies
  $ malachi compare … --json | jq '.segments[] | select(.nodes != [])'

A segment's verdict is the first that holds: damaged, trailing_garbage,
missing, empty, extra, lagging, length_mismatch, content, benign (the same
records in other files), identical. NODES are those that disagree: the
minority, or all on a tie. NOT AT THE SEAL tells which copies of a sealed
segment are not what the metadata records (off_seal in the JSON). Only benign
and identical pass.

Exit codes:
  0 all copies hold the same records, those that the metadata says
  1 a disagreement; or nothing to compare, no metadata, a replica not given
  2 invalid input, or names of nodes that no replica set has
  3 a copy could not be read
  4 an unknown log root format`;

export function compareCommand(context: Context): Command {
  const command = new Command('compare')
    .summary('tell whether the copies of segments hold the same records')
    .description(
      "Compares nodes' copies of each segment by the bytes of their records, with each other and with " +
        'the metadata. Nothing is changed.',
    )
    .addOption(nodeOption())
    .addOption(metadataOption())
    .option('--copies', 'show each copy')
    .addOption(ignoreFormatOption());
  return addRunnerOptions(addCommonOptions(command))
    .addHelpText('after', EXAMPLES)
    .action(async (options: Options) => {
      const { readMetadata } = await import('../../operations/metadata.js');
      const { checkNodeNames } = await import('../../operations/compare-targets.js');
      const { compare } = await import('../../operations/compare.js');
      const { disk, output } = context;
      if (options.node.length === 0) {
        throw new InvalidInputError(
          'compare: expected --node NAME=LOG_ROOT at least once, found none',
        );
      }
      const snapshot = options.metadata.length > 0 ? readMetadata(disk, options.metadata) : null;
      const names = options.node.map(({ node }) => node);
      const unknownNodes = snapshot ? checkNodeNames(names, snapshot) : [];
      const answer = await compare(
        disk,
        options.node,
        snapshot,
        { ignoreFormat: options.ignoreFormat === true, progress: context.progress(options) },
        context.runner(options),
      );
      for (const problem of answer.errors) context.raise(problem.exitCode);
      if (!answer.summary.passed) context.raise(1);
      noteEmptyRoots(context, options.node);

      if (options.json) {
        const { renderJson } = await import('../../report/json.js');
        await output.result(renderJson('compare', answer));
      } else {
        const { renderComparison } = await import('../../report/compare.js');
        const detail = { copies: options.copies === true };
        await output.result(renderComparison(answer, detail, await context.style(options)));
      }
      for (const text of unknownNodes) output.note(safeText(text));
      for (const problem of answer.errors) output.error(problem.message);
    });
}
