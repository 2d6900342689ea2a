import { Command } from 'commander';
import type { Context } from '../context.js';
import type { CommonOptions } from '../options.js';
import { addCommonOptions } from '../options.js';

interface Options extends CommonOptions {
  readonly out: string;
}

const EXAMPLES = `
A spec describes the copies of segments, and then what became of them:
  {"copies": [{"path": "events-r0-s0", "base_offset": 100,
    "records": [{"count": 5, "key": "k{n}", "value": "value {offset}"}],
    "rolls": [103], "prealloc_bytes": 65536,
    "damage": [{"step": "flip", "at": {"frame": 1, "part": "crc"}, "bit": 3},
               {"step": "torn", "record": {"value": "lost"}, "size": 20}]}]}
Steps: cut, flip, zero, garbage, torn, frame, payload, remove, mark. Instead of
"copies", a "cluster" describes nodes and segments, and their metadata.json is
made too. schemas/fixture-spec.schema.json has all of it.

Examples:
  $ malachi fixture torn.json --out torn && malachi inspect torn
  $ malachi fixture cluster.json --out demo --json | jq .summary

Exit codes:
  0 made                          2 the spec is invalid, or cannot be met
  3 the system failed             4 --out is taken, or lies inside a log root`;

export function fixtureCommand(context: Context): Command {
  return addCommonOptions(new Command('fixture'))
    .summary('make segment files of a described shape, whole or damaged')
    .description('Makes segment files with the store itself, and damages them as the spec says.')
    .argument('<spec>', 'a JSON file that describes the fixture')
    .requiredOption('--out <dir>', 'a new directory for it')
    .addHelpText('after', EXAMPLES)
    .action(async (specPath: string, options: Options) => {
      const { makeFixture, readFixtureSpec } = await import('../../operations/fixture/fixture.js');
      const { makeNewDirectory } = await import('../../operations/new-directory.js');
      const { disk } = context;
      const spec = readFixtureSpec(disk, specPath);
      const files = await makeNewDirectory(
        disk,
        options.out,
        (cleanUp) => context.onInterrupt(cleanUp),
        (directory) => makeFixture(disk, directory, spec),
      );
      if (options.json) {
        const { renderJson } = await import('../../report/json.js');
        const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
        const summary = { copies: spec.copies.length, files: files.length, bytes };
        await context.output.result(renderJson('fixture', { out: options.out, files, summary }));
      } else {
        const { renderFixture } = await import('../../report/fixture.js');
        await context.output.result(
          renderFixture(options.out, files, await context.style(options)),
        );
      }
    });
}
