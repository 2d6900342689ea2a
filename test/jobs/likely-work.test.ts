import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Context } from '../../src/cli/context.js';
import { buildWholeProgram } from '../../src/cli/program.js';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { isLikelyLarge } from '../../src/jobs/likely-work.js';
import { Output } from '../../src/report/output.js';
import { blankFile } from '../helpers/blank-file.js';
import { tempDirectory } from '../helpers/temp.js';

const MIB = 1024 * 1024;
const LOG = '00000000000000000000.log';

/** A log root with so many copies, half of them in a shard. */
function logRoot(copies: number, bytes: number): string {
  const root = tempDirectory();
  for (let n = 0; n < copies; n++) {
    const shard = n % 2 === 0 ? 'shard_0' : '.';
    blankFile(join(root, shard, `events-r0-s${n}`, LOG), bytes);
  }
  return root;
}

function logRootFiles(copies: number, bytes: number): string[] {
  const root = logRoot(copies, bytes);
  return Array.from({ length: copies }, (_, n) =>
    join(root, n % 2 === 0 ? 'shard_0' : '.', `events-r0-s${n}`, LOG),
  );
}

const otherFiles = (files: number, bytes: number): string[] =>
  Array.from({ length: files }, () => blankFile(join(tempDirectory(), 'big.json'), bytes));

test.each<[boolean, string, () => string[]]>([
  [true, 'a root of 32 MiB', () => ['inspect', '--json', logRoot(4, 8 * MIB)]],
  [false, 'a root below that', () => ['inspect', '--json', logRoot(4, 8 * MIB - 1)]],
  [true, 'two files', () => ['inspect', ...logRootFiles(2, 16 * MIB)]],
  [false, 'one file, which is never shared', () => ['inspect', ...logRootFiles(1, 64 * MIB)]],
  [false, 'no log files', () => ['compare', '--metadata', ...otherFiles(2, 64 * MIB)]],
  [true, 'a node’s root', () => ['compare', '--node', `n1=${logRoot(2, 20 * MIB)}`]],
  [true, 'two jobs', () => ['recover', '--jobs', '2', logRoot(2, 20 * MIB)]],
  [false, 'one job', () => ['recover', '--jobs', '1', logRoot(2, 20 * MIB)]],
  [false, 'one job, in one word', () => ['recover', logRoot(2, 20 * MIB), '--jobs=1']],
  [false, 'one job, in short', () => ['recover', logRoot(2, 20 * MIB), '-j1']],
  [false, 'another command', () => ['reindex', logRoot(2, 20 * MIB)]],
  [false, 'help', () => ['help', 'inspect', logRoot(2, 20 * MIB)]],
  [false, 'nothing that is there', () => ['settle', '--metadata', '/no/such/file', '--all']],
  [false, 'no word', () => []],
])('%s: %s', (expected, _, argv) => {
  expect(isLikelyLarge(nodeDisk, argv())).toBe(expected);
});

test('every command that shares its work out counts, and no other', async () => {
  const output = new Output(process.stdout, process.stderr);
  const { commands } = await buildWholeProgram(new Context(nodeDisk, output));
  const root = logRoot(2, 20 * MIB);
  const counted = commands.filter((command) => isLikelyLarge(nodeDisk, [command.name(), root]));
  const sharing = commands.filter(({ options }) => options.some(({ long }) => long === '--jobs'));
  expect(sharing.length).toBeGreaterThan(0);
  expect(counted.map((command) => command.name())).toEqual(
    sharing.map((command) => command.name()),
  );
});

test('of a root of very many copies only a few are looked at', () => {
  const root = logRoot(300, 1);
  let calls = 0;
  const counted = {
    ...nodeDisk,
    stat: (path: string) => {
      calls++;
      return nodeDisk.stat(path);
    },
  };
  expect(isLikelyLarge(counted, ['inspect', root])).toBe(false);
  expect(calls).toBe(64);
});
