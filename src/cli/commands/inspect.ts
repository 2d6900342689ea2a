import { Command, Option } from 'commander';
import type { Context, RunnerOptions } from '../context.js';
import type { CommonOptions } from '../options.js';
import { addCommonOptions, addRunnerOptions, ignoreFormatOption, wholeNumber } from '../options.js';

interface Options extends CommonOptions, RunnerOptions {
  readonly preallocBytes: number;
  readonly map?: boolean;
  readonly hex?: boolean;
  readonly ignoreFormat?: boolean;
}

const EXAMPLES = `
A lone file may have any name that ends in .log: where the name does not tell
the first offset, the first record does.

Examples:
  $ malachi inspect /var/lib/malachi/data                  every copy below a log root
  $ malachi inspect data/events-r0-s3 --map --hex          one copy, with pictures
  $ malachi inspect data/*/00000000000000000000.log --json | jq .summary

Exit codes:
  0 all clean or blank   1 torn, rot, bad index or offsets out of sequence
  2 invalid input        3 a file could not be read
  4 an unknown log root format`;

export function inspectCommand(context: Context): Command {
  const command = new Command('inspect')
    .summary('tell what segment files hold and what a node would do to them')
    .description(
      'Reads segment files as a node does on recovery, and shows beside its verdict what the bytes ' +
        'still hold. Nothing is changed.',
    )
    .argument('<path...>', 'a .log file, a segment directory or a log root')
    .addOption(
      new Option('--prealloc-bytes <n>', 'preallocation size that the node runs with')
        .argParser(wholeNumber(0))
        .default(0),
    )
    .option('--map', 'draw each file on one line: good, damaged, recoverable, blank')
    .option('--hex', 'show the bytes around each damage')
    .addOption(ignoreFormatOption());
  return addRunnerOptions(addCommonOptions(command))
    .addHelpText('after', EXAMPLES)
    .action(async (paths: string[], options: Options) => {
      const { inspect, hasFinding } = await import('../../operations/inspect.js');
      const answer = await inspect(context.disk, paths, options, context.runner(options));
      for (const problem of answer.errors) context.raise(problem.exitCode);
      if (answer.files.some(hasFinding)) context.raise(1);

      if (options.json) {
        const { renderJson } = await import('../../report/json.js');
        await context.output.result(renderJson('inspect', answer));
      } else {
        const { renderInspection } = await import('../../report/inspect.js');
        await context.output.result(renderInspection(answer, await context.style(options)));
      }
      for (const problem of answer.errors) context.output.error(problem.message);
    });
}
