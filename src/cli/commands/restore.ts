import { Command } from 'commander';
import type { RestoreAnswer } from '../../operations/restore-entries.js';
import { count } from '../../report/words.js';
import { safeText } from '../../report/safe-text.js';
import type { Context, ProgressOptions } from '../context.js';
import type { CommonOptions } from '../options.js';
import { addCommonOptions, addProgressOption, ignoreFormatOption } from '../options.js';
import { runPlanned } from '../plan-first.js';

interface Options extends CommonOptions, ProgressOptions {
  readonly apply?: boolean;
  readonly yes?: boolean;
  readonly ignoreFormat?: boolean;
}

const EXAMPLES = `
The node must be stopped. Of several entries the latest is put back first, so
that several cuts of one copy are undone in turn.

Examples:
  $ malachi restore malachi-quarantine/malachi@n3.events-r0-s1.123-164.20260101T120000.000Z
  $ malachi restore malachi-quarantine/malachi@n3.* --apply

Exit codes:
  0 restored, or as it was already   1 a dry run: something can be restored
  2 no quarantine entry              3 the system failed
  4 refused: the copy was changed since, a file is open, the log root is locked`;

export function restoreCommand(context: Context): Command {
  return addProgressOption(addCommonOptions(new Command('restore')))
    .summary('put copies back as they were before a cut')
    .description(
      'Undoes what settle and recover cut: log files, sidecars and markers come back exactly as they were, if ' +
        'the copy is still as the cut left it. Without --apply it only tells what would come back.',
    )
    .argument('<entry...>', 'entries of a quarantine')
    .option('--apply', 'change the copies')
    .option('-y, --yes', 'ask nothing, and go on where open files cannot be checked for')
    .addOption(ignoreFormatOption())
    .addHelpText('after', EXAMPLES)
    .action(async (entries: string[], options: Options) => {
      const { apply = false, yes = false, ignoreFormat = false } = options;
      const { restoreEntries } = await import('../../operations/restore-entries.js');
      const words = process.argv.slice(2);
      const answer = await runPlanned(context, options, {
        run: (applied) =>
          restoreEntries(context.disk, entries, {
            apply: applied,
            assumeUnused: yes,
            ignoreFormat,
            progress: context.progress(options),
          }),
        isDue: (plan) => dueEntries(plan) > 0,
        render: async (plan, style) => {
          const { renderRestoration } = await import('../../report/restore.js');
          return renderRestoration(plan, words, style, { asks: true });
        },
        question: (plan) => {
          const due = count(dueEntries(plan), 'entry', 'entries');
          return `Put back ${due}, with the node stopped?`;
        },
      });
      for (const problem of answer.errors) context.raise(problem.exitCode);
      if (!apply && dueEntries(answer) > 0) context.raise(1);

      if (options.json) {
        const { renderJson } = await import('../../report/json.js');
        await context.output.result(renderJson('restore', answer));
      } else {
        const { renderRestoration } = await import('../../report/restore.js');
        await context.output.result(renderRestoration(answer, words, await context.style(options)));
      }
      for (const entry of answer.unfinished) {
        context.output.note(
          `${safeText(entry)} is not whole: a run was killed in front of its cut. It can be removed.`,
        );
      }
      for (const { message, code, path } of answer.errors) {
        context.output.error(message);
        if (code !== 'EQUARANTINE') continue;
        const { restoringAllLine } = await import('../../report/command-line.js');
        context.output.note(`For all of them:\n  ${restoringAllLine(path)}`);
      }
    });
}

function dueEntries({ results }: RestoreAnswer): number {
  return results.filter(({ files }) => files.length > 0).length;
}
