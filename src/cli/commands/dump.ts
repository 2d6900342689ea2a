import { Command, InvalidArgumentError, Option } from 'commander';
import type { DumpEnd, dumpSteps } from '../../operations/dump/dump.js';
import type { DumpRenderer } from '../../report/dump.js';
import { VALUE_FORMS, type ValueForm } from '../../report/record-json.js';
import type { ResultWriter } from '../../report/result-writer.js';
import type { Context, ProgressOptions } from '../context.js';
import type { CommonOptions } from '../options.js';
import {
  addCommonOptions,
  addProgressOption,
  ignoreFormatOption,
  wholeNumber,
} from '../options.js';

interface Options extends CommonOptions, ProgressOptions {
  readonly fromOffset: bigint;
  readonly limit: number;
  readonly reverse?: boolean;
  readonly format: 'table' | 'ndjson';
  readonly value: ValueForm;
  readonly ignoreFormat?: boolean;
}

const EXAMPLES = `
Examples:
  $ malachi dump data/events-r0-s3
  $ malachi dump data/events-r0-s3 --reverse --limit 10
  $ malachi dump data/events-r0-s3 --from-offset 1200 --format ndjson
  $ malachi dump data/events-r0-s3 --format ndjson | jq -r .value.data

In ndjson a field is {"encoding": "utf8", "hex", "base64" or "none",
"bytes": N, "data": "…"}: decode the data as the encoding says. A table shows
at most the first 4096 bytes of a field.

Exit codes:
  0 all records are shown
  1 a file is damaged: what is behind the damage is not shown
  2 invalid input
  3 a file could not be read
  4 an unknown log root format`;

export function dumpCommand(context: Context): Command {
  return addProgressOption(addCommonOptions(new Command('dump')))
    .summary('show the records of a segment file or a copy')
    .description('Shows records in the order of their offsets. Nothing is changed.')
    .argument('<path>', 'a .log file or a segment directory')
    .addOption(
      new Option('--from-offset <n>', 'only records of this offset or a higher one')
        .argParser(parseOffset)
        .default(0n, '0'),
    )
    .addOption(
      new Option('--limit <n>', 'show and read no more records than these')
        .argParser(wholeNumber(1))
        .default(Infinity, 'all'),
    )
    .option('--reverse', 'the last record first')
    .addOption(
      new Option('--format <format>', 'how to show records')
        .choices(['table', 'ndjson'])
        .default('table'),
    )
    .addOption(
      new Option('--value <form>', 'how to show values').choices([...VALUE_FORMS]).default('auto'),
    )
    .addOption(ignoreFormatOption())
    .addHelpText('after', EXAMPLES)
    .action((path: string, options: Options) => dump(context, path, options));
}

async function dump(context: Context, path: string, options: Options): Promise<void> {
  const { resolveCopy } = await import('../../operations/dump/resolve-copy.js');
  const { dumpSteps } = await import('../../operations/dump/dump.js');
  const { DumpRenderer, describeDamage, nextAfterDamage } = await import('../../report/dump.js');
  const { ResultWriter } = await import('../../report/result-writer.js');
  const { disk, output } = context;

  const target = resolveCopy(disk, path, options);
  const format = options.json === true ? 'json' : options.format;
  const renderer = new DumpRenderer(format, options.value, await context.style(options));
  const writer = new ResultWriter(output);
  const { fromOffset, limit } = options;
  const steps = dumpSteps(disk, target.files, {
    fromOffset,
    limit,
    reverse: options.reverse === true,
    progress: context.progressBeside(options),
  });
  const found = await writeRecords(steps, renderer, writer, output);
  if (!found) return;
  const end = { ...found, errors: [...target.problems, ...found.errors] };
  await writer.write(renderer.end(end));
  await writer.flush();
  if (end.damages.length > 0) context.raise(1);
  for (const damage of end.damages) {
    output.error(describeDamage(damage));
    output.note(nextAfterDamage(damage));
  }
  for (const problem of end.errors) {
    context.raise(problem.exitCode);
    output.error(problem.message);
  }
}

/** Writes record after record. @returns how it ended; `null` if nobody reads any more. */
async function writeRecords(
  steps: ReturnType<typeof dumpSteps>,
  renderer: DumpRenderer,
  writer: ResultWriter,
  output: Context['output'],
): Promise<DumpEnd | null> {
  const { breathe } = await import('../../operations/breathe.js');
  try {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      if (typeof step.value === 'object') {
        for (const piece of renderer.record(step.value)) await writer.write(piece);
      }
      if (output.readerGone) return null;
      await breathe();
    }
  } finally {
    // However it ends, the file is closed and the progress line taken away.
    steps.return({ records: 0, damages: [], errors: [] });
  }
}

const MAX_U64 = 0xffff_ffff_ffff_ffffn;

function parseOffset(text: string): bigint {
  const offset = /^\d{1,20}$/.test(text) ? BigInt(text) : null;
  if (offset === null || offset > MAX_U64) {
    throw new InvalidArgumentError('Expected a whole number from 0 to 2^64-1.');
  }
  return offset;
}
