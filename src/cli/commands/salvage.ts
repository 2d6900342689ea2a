import { Command, Option } from 'commander';
import { InvalidInputError } from '../../errors.js';
import type { Progress } from '../../operations/progress.js';
import type { Salvage, SalvageSink } from '../../operations/salvage/salvage.js';
import type { Context, ProgressOptions } from '../context.js';
import type { CommonOptions } from '../options.js';
import { addCommonOptions, addProgressOption, ignoreFormatOption } from '../options.js';

interface Options extends CommonOptions, ProgressOptions {
  readonly out: string;
  readonly format: 'log' | 'ndjson';
  readonly includeOutOfSequence?: boolean;
  readonly ignoreFormat?: boolean;
}

const EXAMPLES = `
Examples:
  $ malachi salvage damaged.log --out rescue/00000000000000000000.log
  $ malachi salvage damaged.log --out records.ndjson --format ndjson
  $ malachi salvage damaged.log --out - --format ndjson | jq .offset

A log holds the frames byte for byte, one behind the other; inspect calls it
clean. Where records are missing the others keep the offsets that they carry,
and inspect says that they are out of sequence. A log's file is named by its
first offset: the answer tells the name.

Exit codes:
  0 the file was whole
  1 something was damaged, out of sequence or missing: the rest was written
  2 invalid input
  3 reading or writing failed: no output is left behind
  4 the output is there already or in a log root, or an unknown format`;

export function salvageCommand(context: Context): Command {
  return addProgressOption(addCommonOptions(new Command('salvage')))
    .summary('get every whole record out of a damaged segment file')
    .description(
      'Writes every valid frame of a file, in front of, between and behind damages, to a new file. The ' +
        'file itself is not changed.',
    )
    .argument('<file>', 'a segment file')
    .requiredOption('--out <new>', 'a file that is not there yet, or - for stdout')
    .addOption(
      new Option('--format <format>', 'frames, or records as lines of JSON')
        .choices(['log', 'ndjson'])
        .default('log'),
    )
    .option(
      '--include-out-of-sequence',
      'also keep records whose offset is not above the last one, and those inside damaged records',
    )
    .addOption(ignoreFormatOption())
    .addHelpText('after', EXAMPLES)
    .action((file: string, options: Options) => salvageFile(context, file, options));
}

async function salvageFile(context: Context, file: string, options: Options): Promise<void> {
  const { checkInput, otherName } = await import('../../operations/salvage/salvage.js');
  const { hasSalvageFinding } = await import('../../operations/salvage/ledger.js');
  const { otherNameLines, renderSalvage } = await import('../../report/salvage.js');
  const { disk, output } = context;
  const toStdout = options.out === '-';
  if (toStdout) checkStdout(options);
  checkInput(disk, file, options.ignoreFormat === true);
  const answer = toStdout
    ? await writeStdout(context, file, options)
    : await writeFile(context, file, options);
  if (!answer) return;
  if (hasSalvageFinding(answer)) context.raise(1);

  if (toStdout) {
    const style = await context.style({ color: false });
    for (const line of renderSalvage(answer, null, style).trimEnd().split('\n')) output.note(line);
  } else if (options.json === true) {
    const { renderJson } = await import('../../report/json.js');
    await output.result(
      renderJson('salvage', { ...answer, out: options.out, format: options.format }),
    );
  } else {
    await output.result(renderSalvage(answer, options.out, await context.style(options)));
  }
  const name = toStdout || options.format !== 'log' ? null : otherName(answer, options.out);
  if (name !== null) for (const line of otherNameLines(options.out, name)) output.note(line);
}

/** @throws InvalidInputError for what stdout cannot take. */
function checkStdout({ json, format }: Options): void {
  if (json === true) {
    throw new InvalidInputError('--json: expected a file for --out beside it, found - (stdout)');
  }
  if (format === 'log' && process.stdout.isTTY) {
    throw new InvalidInputError(
      '--out -: expected a pipe or a file for the bytes of a log, found a terminal',
    );
  }
}

async function writeStdout(
  context: Context,
  file: string,
  options: Options,
): Promise<Salvage | null> {
  const { output } = context;
  const sink = {
    write: (bytes: Uint8Array) => output.result(bytes),
    get isGone() {
      return output.readerGone;
    },
  };
  return run(context, file, options, sink, context.progressBeside(options));
}

async function writeFile(
  context: Context,
  file: string,
  options: Options,
): Promise<Salvage | null> {
  const { checkOutputPlace } = await import('../../operations/salvage/output-place.js');
  const { NewFile } = await import('../../operations/salvage/new-file.js');
  const { disk } = context;
  const created = new NewFile(disk, checkOutputPlace(disk, options.out, file));
  const takeBack = context.onInterrupt(() => created.discard());
  try {
    const sink = { write: (bytes: Uint8Array) => created.write(bytes), isGone: false };
    const answer = await run(context, file, options, sink, context.progress(options));
    created.finish();
    return answer;
  } catch (error) {
    created.discard();
    throw error;
  } finally {
    takeBack();
  }
}

async function run(
  { disk }: Context,
  file: string,
  options: Options,
  sink: SalvageSink,
  progress: Progress | undefined,
): Promise<Salvage | null> {
  const { salvage, rawFrame } = await import('../../operations/salvage/salvage.js');
  const { frameJson } = await import('../../report/salvage.js');
  const writer = options.format === 'log' ? rawFrame : frameJson;
  const request = { includeOutOfSequence: options.includeOutOfSequence === true, progress };
  return salvage(disk, file, request, writer, sink);
}
