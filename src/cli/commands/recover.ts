import { Command, Option } from 'commander';
import type { LinkedFile } from '../../operations/linked-files.js';
import type { RecoverAnswer } from '../../operations/recover.js';
import { count } from '../../report/words.js';
import type { Context, RunnerOptions } from '../context.js';
import type { CommonOptions } from '../options.js';
import { addCommonOptions, addRunnerOptions, ignoreFormatOption, wholeNumber } from '../options.js';
import { runPlanned } from '../plan-first.js';
import type { QuarantineOptions } from '../quarantine-options.js';
import {
  addQuarantineOptions,
  keptWords,
  linkedNote,
  requireQuarantineOrYes,
} from '../quarantine-options.js';

interface Options extends CommonOptions, QuarantineOptions, RunnerOptions {
  readonly preallocBytes: number;
  readonly discardRecoverable?: boolean;
  readonly ignoreFormat?: boolean;
}

const EXAMPLES = `
The node must be stopped. A tail with whole records in it is not discarded,
though the node would. What is cut is first copied to the quarantine.

Examples:
  $ malachi recover /var/lib/malachi/data                   what a restart would do
  $ malachi recover data/events-r0-s3 --apply
  $ malachi recover data --prealloc-bytes 67108864 --apply

Exit codes:
  0 nothing to do, or done    1 a dry run with work left, or damage that stays
  2 invalid input             3 the system failed
  4 refused: whole records behind the damage, a file is open, the root is locked`;

export function recoverCommand(context: Context): Command {
  return addRunnerOptions(addQuarantineOptions(addCommonOptions(new Command('recover'))))
    .summary("do to each log's last file what a node's restart would do")
    .description(
      'Discards torn tails as a restart of the node does, but keeps what it cuts, and stops where ' +
        'that would lose whole records. Without --apply it only tells what it would do.',
    )
    .argument('<path...>', "a log's last .log file, a segment directory or a log root")
    .option('--apply', 'change the files')
    .addOption(
      new Option('--prealloc-bytes <n>', 'preallocation size that the node runs with')
        .argParser(wholeNumber(0))
        .default(0),
    )
    .option('--discard-recoverable', 'also discard tails with whole records in them')
    .addOption(ignoreFormatOption())
    .addHelpText('after', EXAMPLES)
    .action(async (paths: string[], options: Options) => {
      const { apply = false, discardRecoverable = false, yes = false } = options;
      requireQuarantineOrYes(options);
      const { recover } = await import('../../operations/recover.js');
      const request = {
        ...{ discardRecoverable, assumeUnused: yes },
        preallocBytes: options.preallocBytes,
        ignoreFormat: options.ignoreFormat === true,
        quarantine: options.quarantine === false ? null : options.quarantine,
        onLock: (release: () => void) => void context.onInterrupt(release),
        onLinked: (file: LinkedFile) => context.output.note(linkedNote(file)),
      };
      const words = process.argv.slice(2);
      const keepsNothing = options.quarantine === false;
      const runner = context.runner(options);
      const answer = await runPlanned(context, options, {
        run: (applied) => recover(context.disk, paths, { ...request, apply: applied }, runner),
        isDue: ({ summary }) => summary.discarded + summary.extended > 0,
        render: async (plan, style) => {
          const { renderRecovery } = await import('../../report/recover.js');
          return renderRecovery(plan, words, style, { keepsNothing, asks: true });
        },
        question: (plan) => questionOn(plan, options),
      });
      const { summary, errors } = answer;
      for (const problem of errors) context.raise(problem.exitCode);
      if (summary.refused > 0) context.raise(4);
      const left = apply ? 0 : summary.discarded + summary.extended;
      if (summary.preserved + left > 0) context.raise(1);

      if (options.json) {
        const { renderJson } = await import('../../report/json.js');
        await context.output.result(renderJson('recover', answer));
      } else {
        const { renderRecovery } = await import('../../report/recover.js');
        await context.output.result(
          renderRecovery(answer, words, await context.style(options), { keepsNothing }),
        );
      }
      for (const problem of errors) context.output.error(problem.message);
    });
}

/** The question says it too if whole records would go. */
function questionOn({ files, summary }: RecoverAnswer, options: Options): string {
  const due = count(summary.discarded + summary.extended, 'file');
  const lost = files
    .filter(({ outcome }) => outcome === 'discarded')
    .reduce((sum, { beyond }) => sum + (beyond?.frames ?? 0), 0);
  const records = lost > 0 ? `; ${count(lost, 'whole record')} will go` : '';
  return `Recover ${due}, with the node stopped (${keptWords(options)}${records})?`;
}
