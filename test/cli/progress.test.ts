import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { Context } from '../../src/cli/context.js';
import { buildProgram } from '../../src/cli/program.js';
import type { FileKind } from '../../src/disk/disk.js';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { StorageError } from '../../src/errors.js';
import type { Progress } from '../../src/operations/progress.js';
import { Output } from '../../src/report/output.js';
import { malachi } from '../helpers/cli.js';
import { clusterRoot } from '../helpers/cluster.js';
import { fixtures, goldenRoot } from '../helpers/golden.js';
import { metadata, nodesOf } from '../helpers/plan.js';
import { listener } from '../helpers/progress.js';
import { tempCopy, tempDirectory } from '../helpers/temp.js';
import { onTerminal } from '../helpers/terminal.js';

/** So many that each core starts a process 30 times: more than half a second of work anywhere. */
const CASES = 30 * availableParallelism();

/** A directory of cases that all pass. */
function manyCases(): string {
  const directory = tempDirectory();
  const one = JSON.stringify({ args: ['explain', 'torn'], exit: 0 });
  for (let n = 0; n < CASES; n++) {
    mkdirSync(join(directory, String(n)));
    writeFileSync(join(directory, String(n), 'case.json'), one);
  }
  return directory;
}

// script(1) of util-linux makes the terminal.
describe.runIf(process.platform === 'linux')('work of more than half a second', () => {
  const summary = `${CASES} cases: ${CASES} passed.\n`;
  const line = new RegExp(`\\d+% {2}\\d+ of ${CASES} cases {2}\\d+/s {2}\\d+ s left`);

  test('shows on a terminal how far it is, and clears the line', () => {
    const cases = manyCases();
    const { status, stdout, terminal } = onTerminal(['check', cases], '', cases);
    expect([status, stdout]).toEqual([0, summary]);
    expect(terminal).toMatch(line);
    expect(terminal.endsWith('\u001b[2K')).toBe(true);
  });

  test.each(['--no-progress', '--quiet'])('shows nothing with %s', (flag) => {
    const cases = manyCases();
    const { status, stdout, terminal } = onTerminal(['check', cases, flag], '', cases);
    expect([status, stdout, terminal]).toEqual([0, summary, '']);
  });

  test('shows nothing off a terminal', () => {
    const { status, stdout, stderr } = malachi(['check', manyCases()]);
    expect([status, stdout, stderr]).toEqual([0, summary, '']);
  });
});

/** Hears all progress, as a terminal would; what stdout leads to can be told. */
class ListeningContext extends Context {
  readonly heard: ReturnType<typeof listener>['heard'];
  readonly #progress: Progress;

  constructor(stdout: () => FileKind) {
    const stream = () => new PassThrough().resume() as unknown as NodeJS.WriteStream;
    const fstat = (fd: number) => ({
      ...nodeDisk.fstat(fd),
      ...(fd === 1 && { kind: stdout() }),
    });
    super({ ...nodeDisk, fstat }, new Output(stream(), stream()));
    ({ progress: this.#progress, heard: this.heard } = listener());
  }

  override progress(): Progress {
    return this.#progress;
  }
}

async function hearing(
  argv: readonly string[],
  stdout: () => FileKind = () => 'file',
): Promise<ListeningContext['heard']> {
  const context = new ListeningContext(stdout);
  const program = await buildProgram(context, argv);
  await program.parseAsync(argv, { from: 'user' });
  return context.heard;
}

const nodes = nodesOf(clusterRoot);
const golden = join(goldenRoot, 'rot-middle-frame', '00000000000000000000.log');
const toStdout = ['--out', '-', '--format', 'ndjson'];

/** Entries of a quarantine: what a settling of the incident cut. */
function quarantineEntries(): string[] {
  const cwd = tempCopy(join(fixtures, 'incident'));
  const node = ['n1', 'n2', 'n3'].flatMap((name) => ['--node', `malachi@${name}=${name}`]);
  const settling = ['settle', '--metadata', 'metadata.json', ...node, '--apply', '--yes'];
  malachi(settling, { cwd });
  const quarantine = join(cwd, 'malachi-quarantine');
  return readdirSync(quarantine).map((name) => join(quarantine, name));
}

test.each<[string, () => string[], string[]]>([
  ['inspect', () => [goldenRoot], ['bytes']],
  ['recover', () => [join(clusterRoot, 'n1')], ['bytes']],
  ['dump', () => [golden], ['bytes']],
  ['salvage', () => [golden, '--out', join(tempDirectory(), 'new.log')], ['bytes']],
  ['salvage', () => [golden, ...toStdout], ['bytes']],
  ['reindex', () => [goldenRoot], ['bytes']],
  ['compare', () => [...nodes, ...metadata], ['copies', 'bytes']],
  ['inventory', () => nodes, ['copies']],
  ['plan-overrun', () => [...nodes, ...metadata], ['copies']],
  ['settle', () => [...nodes, ...metadata], ['copies', 'bytes']],
  ['restore', quarantineEntries, ['bytes']],
  ['check', () => [join(fixtures, 'cases'), '--filter', 'torn'], ['cases']],
])('%s tells how far it is', async (command, args, units) => {
  const heard = await hearing([command, ...args()]);
  expect([...new Set(heard.map(({ unit }) => unit))]).toEqual(units);
  expect(heard.every(({ ended, steps }) => ended && steps > 0)).toBe(true);
});

describe.each([
  ['dump', [golden]],
  ['salvage', [golden, ...toStdout]],
])('%s writes its records as it goes', (command, args) => {
  test('with no line among them: a pipe may lead to the same terminal', async () => {
    expect(await hearing([command, ...args], () => 'other')).toEqual([]);
  });

  test('also where stdout is closed', async () => {
    const closed = (): never => {
      throw new StorageError('EBADF', 'stdout', 'bad file descriptor');
    };
    expect(await hearing([command, ...args], closed)).toEqual([]);
  });
});
