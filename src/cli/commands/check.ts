import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import type { Context, ProgressOptions } from '../context.js';
import type { CommonOptions } from '../options.js';
import { addCommonOptions, addProgressOption } from '../options.js';

interface Options extends CommonOptions, ProgressOptions {
  readonly filter?: string;
  readonly junit?: string;
}

const EXAMPLES = `
A case is a directory with a case.json:
  {"args": ["inspect", "--json", "data"], "exit": 1,
   "json": {"summary": {"torn": 1}}}
It is run there. The exit code must be this one, and the answer must contain
this JSON: objects may have more keys, arrays have as many elements. A command
that can write runs in a copy of the directory, and of the paths in "copy".

Examples:
  $ malachi check ci/cases
  $ malachi check ci/cases --filter torn --json | jq .cases
  $ malachi check ci/cases --junit report.xml

Exit codes:
  0 every case passed            1 a case failed
  2 an invalid case, or none     3 a case could not be run
  4 the report's name is taken`;

export function checkCommand(context: Context): Command {
  return addProgressOption(addCommonOptions(new Command('check')))
    .summary('run fixture cases and tell how their answers differ')
    .description('Runs the cases at and below a directory, for CI. The fixtures are not changed.')
    .argument('<dir>', 'a directory of cases')
    .option('--filter <text>', 'only cases with this text in their name')
    .option('--junit <file>', 'also write a JUnit XML report')
    .addHelpText('after', EXAMPLES)
    .action(async (directory: string, options: Options) => {
      const { check } = await import('../../operations/check/check.js');
      const { spawnToolkit } = await import('../spawn-toolkit.js');
      const answer = await check(
        {
          disk: context.disk,
          run: (args, where) => spawnToolkit(context, args, where),
          onInterrupt: (cleanUp) => context.onInterrupt(cleanUp),
        },
        directory,
        {
          jobs: availableParallelism(),
          progress: context.progress(options),
          ...(options.filter !== undefined && { filter: options.filter }),
        },
      );
      if (answer.summary.failed > 0) context.raise(1);
      for (const problem of answer.errors) context.raise(problem.exitCode);

      const { checkDocument, renderCheck } = await import('../../report/check.js');
      if (options.json) {
        const { renderJson } = await import('../../report/json.js');
        await context.output.result(renderJson('check', checkDocument(answer)));
      } else {
        await context.output.result(renderCheck(answer, await context.style(options)));
      }
      for (const problem of answer.errors) context.output.error(problem.message);
      if (options.junit !== undefined) {
        const { renderJunit } = await import('../../report/junit.js');
        const { writeJunit } = await import('../../operations/check/write-junit.js');
        writeJunit(context.disk, options.junit, renderJunit(answer, directory));
      }
    });
}
