import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandTable } from '../../src/cli/command-table.js';
import { malachi, parseAnswer } from '../helpers/cli.js';
import { clusterRoot } from '../helpers/cluster.js';
import { fixtures } from '../helpers/golden.js';
import { schemaFaults, schemaPath } from '../helpers/schema.js';
import { tempCopy, tempDirectory } from '../helpers/temp.js';

const clusters = [
  ['the incident cluster', join(fixtures, 'incident')],
  ['the golden cluster', clusterRoot],
] as const;
const inputs = [
  ...['--metadata', 'metadata.json'],
  ...['n1', 'n2', 'n3'].flatMap((node) => ['--node', `malachi@${node}=${node}`]),
];

function answerOf(cwd: string, ...args: string[]): string {
  const { status, stdout, stderr } = malachi(args, { cwd });
  expect([0, 1], stderr).toContain(status);
  expect(schemaFaults(stdout)).toEqual([]);
  return stdout;
}

describe.each(clusters)('%s', (_, directory) => {
  test.each(['compare', 'plan-overrun', 'settle'])('%s', (command) => {
    answerOf(directory, command, '--json', ...inputs);
  });

  test('inventory', () => {
    answerOf(directory, 'inventory', ...inputs.slice(2));
  });

  test('inspect, recover and reindex', () => {
    answerOf(directory, 'inspect', '--json', '--map', '--hex', 'n1', 'n2', 'n3');
    answerOf(directory, 'recover', '--json', '--discard-recoverable', 'n1', 'n2', 'n3');
    answerOf(directory, 'reindex', '--json', 'n1', 'n2', 'n3');
  });

  test('settle and restore, applied', () => {
    const cwd = tempCopy(directory);
    answerOf(cwd, 'settle', '--json', '--all', '--apply', ...inputs);
    const entries = readdirSync(join(cwd, 'malachi-quarantine'));
    expect(entries.length).toBeGreaterThan(1);
    const paths = entries.map((entry) => join('malachi-quarantine', entry));
    answerOf(cwd, 'restore', '--json', ...paths);
    const { results } = parseAnswer<{ results: { files: unknown[] }[] }>(
      answerOf(cwd, 'restore', '--json', '--apply', ...paths),
    );
    expect(results.some(({ files }) => files.length > 0)).toBe(true);
  });
});

test('dump and salvage', () => {
  const out = tempDirectory();
  const golden = (name: string): string =>
    join(fixtures, 'golden', name, '00000000000000000000.log');
  const dumped = ['keys-and-headers', 'rot-middle-frame', 'prealloc-empty'];
  for (const name of dumped) answerOf(out, 'dump', '--json', golden(name));
  for (const value of ['hex', 'base64', 'none', 'utf8']) {
    answerOf(out, 'dump', '--json', '--value', value, golden('rot-last-frame'));
  }
  for (const name of ['rot-middle-frame', 'zero-hole-then-tail', 'offsets-repeat']) {
    answerOf(out, 'salvage', '--json', golden(name), '--out', join(out, `${name}.log`));
  }
});

test('every command that answers in JSON has its schema', () => {
  const names = Object.keys(commandTable).filter((name) => name !== 'completion');
  expect(names.filter((name) => !existsSync(schemaPath(name)))).toEqual([]);
});
