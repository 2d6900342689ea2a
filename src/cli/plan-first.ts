import { RefusedError } from '../errors.js';
import type { Style } from '../report/style.js';
import { ask, canAsk } from './confirm.js';
import type { Context } from './context.js';

export interface PlanFirstOptions {
  readonly apply?: boolean;
  readonly yes?: boolean;
  readonly color: boolean;
}

/** How a command changes files, and how it tells beforehand what it will change. */
export interface PlannedRun<Answer> {
  run(apply: boolean): Promise<Answer>;
  /** Whether anything would be changed. */
  isDue(plan: Answer): boolean;
  /** The dry run's text, without the command that would do it. */
  render(plan: Answer, style: Style): Promise<string>;
  question(plan: Answer): string;
}

/**
 * Runs a command that changes files. Where there is a person to ask, the plan is shown first, on stderr with the
 * question, so that stdout has the result alone; what needs no change needs no question.
 *
 * @throws RefusedError `EDECLINED` if the answer is no.
 */
export async function runPlanned<Answer>(
  context: Context,
  options: PlanFirstOptions,
  planned: PlannedRun<Answer>,
): Promise<Answer> {
  const { apply = false, yes = false } = options;
  if (apply && !yes && canAsk()) {
    const plan = await planned.run(false);
    if (planned.isDue(plan)) {
      const text = await planned.render(plan, await context.style(options, process.stderr));
      process.stderr.write(`${text}\n`);
      if (!(await ask(planned.question(plan)))) {
        throw new RefusedError('EDECLINED', 'nothing was changed');
      }
    }
  }
  return planned.run(apply);
}
