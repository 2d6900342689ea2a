import { Command } from 'commander';
import type { Context, ProgressOptions } from '../context.js';
import { noteEmptyRoots } from '../nodes.js';
import type { CommonOptions } from '../options.js';
import { addCommonOptions, addProgressOption } from '../options.js';
import { addPlanOptions, toPlanInputs, type PlanOptions } from '../plan-options.js';

type Options = CommonOptions & PlanOptions & ProgressOptions;

const EXAMPLES = `
Examples:
  $ malachi plan-overrun --metadata topics.json --node malachi@n1=/mnt/n1 --node malachi@n2=/mnt/n2
  $ malachi plan-overrun --metadata events.json --metadata audit.json \\
      --inventory n1.json --inventory n2.json --json > plan.json
  $ malachi plan-overrun … --after 'events-r0-s1/malachi@n3'      the batch behind that copy

Exit codes:
  0 every measured copy agrees with its seal
  1 unsettled or short copies, orphaned fences
  2 invalid input   3 a copy could not be measured
  4 an unknown log root format`;

export function planOverrunCommand(context: Context): Command {
  return addProgressOption(addCommonOptions(addPlanOptions(new Command('plan-overrun'))))
    .summary('plan the settling of sealed copies that hold more than their seal')
    .description(
      "Holds the bytes of each sealed segment's copies against the size that the control plane recorded, " +
        'and plans a batch of seal_at calls for those above it. No segment file is opened; nothing is ' +
        'changed.',
    )
    .addHelpText('after', EXAMPLES)
    .action(async (options: Options) => {
      if (options.quiet) context.output.silence();
      const { needsAttention, planFromInputs, unknownCopies } =
        await import('../../operations/plan-overrun.js');
      const inputs = toPlanInputs(options);
      const progress = context.progress(options);
      const { snapshot, answer } = await planFromInputs(context.disk, inputs, progress);
      noteEmptyRoots(context, options.node);
      for (const problem of answer.errors) context.raise(problem.exitCode);
      if (needsAttention(answer)) context.raise(1);

      if (options.json) {
        const { renderJson } = await import('../../report/json.js');
        await context.output.result(renderJson('plan-overrun', answer));
      } else {
        const { renderPlan } = await import('../../report/plan-overrun.js');
        await context.output.result(renderPlan(answer, await context.style(options)));
      }
      for (const key of unknownCopies(snapshot, options.failed ?? [])) {
        context.output.note(`--failed ${key}: the metadata has no such replica`);
      }
      for (const problem of answer.errors) context.output.error(problem.message);
    });
}
