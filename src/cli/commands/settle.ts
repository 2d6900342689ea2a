import { Command } from 'commander';
import { InvalidInputError } from '../../errors.js';
import type { SettleAnswer, SettleListener, SettleRequest } from '../../operations/settle.js';
import { count } from '../../report/words.js';
import type { Context, RunnerOptions } from '../context.js';
import { noteEmptyRoots } from '../nodes.js';
import type { CommonOptions } from '../options.js';
import { addCommonOptions, addRunnerOptions } from '../options.js';
import { runPlanned } from '../plan-first.js';
import { addPlanOptions, toPlanInputs, type PlanOptions } from '../plan-options.js';
import { keptWords, linkedNote, requireQuarantineOrYes } from '../quarantine-options.js';

interface Options extends CommonOptions, PlanOptions, RunnerOptions {
  readonly plan?: string;
  readonly apply?: boolean;
  readonly all?: boolean;
  /** A directory, or false for none. */
  readonly quarantine: string | false;
  readonly dropRot?: boolean;
  readonly yes?: boolean;
}

const EXAMPLES = `
The nodes whose log roots are given must be stopped. What is cut is first
copied to the quarantine, from where malachi restore puts it back.

Examples:
  $ malachi settle --metadata topics.json --node malachi@n1=/mnt/n1 --node malachi@n2=/mnt/n2
  $ malachi settle --metadata topics.json --node malachi@n1=/mnt/n1 … --all --apply
  $ malachi settle --plan plan.json --node malachi@n1=/var/lib/malachi/data --apply

Exit codes:
  0 settled, nothing left   1 short or damaged copies, orphaned fences, or
                              work left over
  2 invalid input           3 the system failed
  4 refused: a file is open, the log root is locked, the plan is out of date`;

/** What makes no sense beside a plan that is already made. */
const PLANNING: readonly (readonly [keyof Options, string])[] = [
  ['inventory', '--inventory'],
  ['after', '--after'],
  ['replicationFactor', '--replication-factor'],
  ['partial', '--partial'],
  ['failed', '--failed'],
  ['all', '--all'],
];

export function settleCommand(context: Context): Command {
  return addRunnerOptions(addCommonOptions(addPlanOptions(new Command('settle'))))
    .summary('bring copies down to their recorded end, and fence them there')
    .description(
      'Settles sealed copies that hold more than the control plane recorded (seal_at). Without --apply it ' +
        'only tells what it would do.',
    )
    .option('--plan <file>', 'settle what malachi plan-overrun --json planned, on the nodes given')
    .option('--apply', 'change the copies')
    .option('--all', 'no limit to the batch')
    .option('--quarantine <dir>', 'where what is cut is kept', './malachi-quarantine')
    .option('--no-quarantine', 'keep nothing: what is cut is gone for good')
    .option('--drop-rot', 'also cut damaged bytes behind the recorded end')
    .option('-y, --yes', 'ask nothing, and go on where open files cannot be checked for')
    .addHelpText('after', EXAMPLES)
    .action(async (options: Options) => {
      const request = toRequest(options);
      const { settle } = await import('../../operations/settle.js');
      const words = process.argv.slice(2);
      const keepsNothing = options.quarantine === false;
      const listener = listenerFor(context, options);
      const answer = await runPlanned(context, options, {
        run: async (apply) => {
          const settled = await settle(context.disk, { ...request, apply }, listener);
          noteEmptyRoots(context, options.node);
          return settled;
        },
        isDue: (plan) => changedCopies(plan) > 0,
        render: async (plan, style) => {
          const { renderSettling } = await import('../../report/settle.js');
          return renderSettling(plan, words, style, { keepsNothing, asks: true });
        },
        question: (plan) => {
          const copies = count(changedCopies(plan), 'copy', 'copies');
          return `Settle ${copies}, with their nodes stopped (${keptWords(options)})?`;
        },
      });
      const { exitCodesOf } = await import('../../operations/settle-exit.js');
      for (const code of exitCodesOf(answer)) context.raise(code);

      if (options.json) {
        const { renderJson } = await import('../../report/json.js');
        await context.output.result(renderJson('settle', answer));
      } else {
        const { renderSettling } = await import('../../report/settle.js');
        await context.output.result(
          renderSettling(answer, words, await context.style(options), { keepsNothing }),
        );
      }
      const errors = [...answer.errors, ...answer.results.flatMap(({ error }) => error ?? [])];
      const messages = new Set(errors.map(({ message }) => message));
      for (const message of messages) context.output.error(message);
    });
}

function changedCopies({ results }: SettleAnswer): number {
  return results.filter(({ changedFiles }) => changedFiles > 0).length;
}

function toRequest(options: Options): SettleRequest {
  const { plan, apply = false, all = false, dropRot = false, yes = false } = options;
  if (options.node.length === 0) {
    throw new InvalidInputError(
      'expected a --node NAME=LOG_ROOT whose copies to settle, found none',
    );
  }
  for (const [key, flag] of plan === undefined ? [] : PLANNING) {
    if (options[key] === undefined) continue;
    throw new InvalidInputError(`${flag}: expected no such option beside --plan, which is a batch`);
  }
  requireQuarantineOrYes(options);
  return {
    inputs: toPlanInputs(options),
    plan: plan ?? null,
    apply,
    all,
    dropRot,
    quarantine: options.quarantine === false ? null : options.quarantine,
    assumeUnused: yes,
  };
}

function listenerFor(context: Context, options: Options): SettleListener {
  const { output } = context;
  return {
    locked: (release) => {
      context.onInterrupt(release);
    },
    unseen: (processes) => {
      for (const { pid, name } of processes) {
        output.note(`Process ${pid} (${name}) could not be checked for open files.`);
      }
    },
    linked: (file) => output.note(linkedNote(file)),
    progress: context.progress(options),
    runner: context.runner(options),
  };
}
