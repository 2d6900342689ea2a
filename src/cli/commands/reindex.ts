import { Command, Option } from 'commander';
import { count } from '../../report/words.js';
import type { Context, ProgressOptions } from '../context.js';
import type { CommonOptions } from '../options.js';
import {
  addCommonOptions,
  addProgressOption,
  ignoreFormatOption,
  wholeNumber,
} from '../options.js';
import { runPlanned } from '../plan-first.js';

interface Options extends CommonOptions, ProgressOptions {
  readonly apply?: boolean;
  readonly indexInterval?: number;
  readonly yes?: boolean;
  readonly ignoreFormat?: boolean;
}

const EXAMPLES = `
The node must be stopped. Sealed files and those that have an index are looked
at; a file with damaged records is named and left alone. An index that is right
stays, unless --index-interval asks for another one.

Examples:
  $ malachi reindex /var/lib/malachi/data                 which indexes are bad
  $ malachi reindex data/events-r0-s3 --apply
  $ malachi reindex data --index-interval 1024 --apply

Exit codes:
  0 all are right, or rebuilt     1 a dry run with work left, or damaged records
  2 invalid input                 3 the system failed
  4 refused: a file is open, the log root is locked`;

export function reindexCommand(context: Context): Command {
  return addProgressOption(addCommonOptions(new Command('reindex')))
    .summary('rebuild the sidecar indexes of intact files')
    .description(
      'Writes sidecar indexes anew from the records, each in the place of the old one. Without ' +
        '--apply it only tells which it would write.',
    )
    .argument('<path...>', 'a .log file, a segment directory or a log root')
    .option('--apply', 'write the indexes')
    .addOption(
      new Option(
        '--index-interval <n>',
        'least distance of two entries in bytes (default: 4096)',
      ).argParser(wholeNumber(1)),
    )
    .option('-y, --yes', 'ask nothing, and go on where open files cannot be checked for')
    .addOption(ignoreFormatOption())
    .addHelpText('after', EXAMPLES)
    .action(async (paths: string[], options: Options) => {
      const { apply = false, yes = false } = options;
      const { reindex } = await import('../../operations/reindex.js');
      const words = process.argv.slice(2);
      const request = {
        assumeUnused: yes,
        indexInterval: options.indexInterval ?? null,
        ignoreFormat: options.ignoreFormat === true,
        onLock: (release: () => void) => void context.onInterrupt(release),
        progress: context.progress(options),
      };
      const answer = await runPlanned(context, options, {
        run: (applied) => reindex(context.disk, paths, { ...request, apply: applied }),
        isDue: ({ summary }) => summary.rebuilt > 0,
        render: async (plan, style) => {
          const { renderReindex } = await import('../../report/reindex.js');
          return renderReindex(plan, words, style, { asks: true });
        },
        question: ({ summary }) => {
          const due = count(summary.rebuilt, 'index', 'indexes');
          return `Write ${due}, with the node stopped?`;
        },
      });
      const { summary, errors } = answer;
      for (const problem of errors) context.raise(problem.exitCode);
      if (summary.damaged > 0 || (!apply && summary.rebuilt > 0)) context.raise(1);

      if (options.json) {
        const { renderJson } = await import('../../report/json.js');
        await context.output.result(renderJson('reindex', answer));
      } else {
        const { renderReindex } = await import('../../report/reindex.js');
        await context.output.result(renderReindex(answer, words, await context.style(options)));
      }
      for (const problem of errors) context.output.error(problem.message);
    });
}
