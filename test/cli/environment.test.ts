import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { schemaFaults } from '../helpers/schema.js';
import { createStyle } from '../../src/report/style.js';
import { bareEnvironment, bin, malachi, parseAnswer } from '../helpers/cli.js';
import { clusterRoot, metadataPath } from '../helpers/cluster.js';

test('a working directory that is gone is told in one line', () => {
  const settle = `settle --node malachi@n1=${clusterRoot}/n1 --metadata ${metadataPath} --partial`;
  const script = `d=$(mktemp -d) && cd "$d" && rmdir "$d" && "${process.execPath}" "${bin}" ${settle}`;
  const { status, stderr } = spawnSync('bash', ['--norc', '-c', script], {
    encoding: 'utf8',
    env: bareEnvironment,
  });
  expect(status).toBe(3);
  expect(stderr).toMatch(/^malachi: the system failed: ENOENT.*\n$/);
});

test.each([
  [['inspect', '--nope'], 2],
  [['compare'], 2],
  [['plan-overrun', '--node', 'a=/nowhere'], 2],
  [['explain', 'nothing-of-the-kind'], 2],
])('%j with --json answers with a document all the same', (args, code) => {
  const { status, stdout, stderr } = malachi([...args, '--json']);
  expect(status).toBe(code);
  expect(schemaFaults(stdout)).toEqual([]);
  expect(stderr).toMatch(/^malachi: .*\n$/);
  const [error] = parseAnswer<{ errors: { message: string }[] }>(stdout).errors;
  expect(stderr).toContain(error?.message);
});

test('a terminal that says it has 0 columns is as wide as it needs to be', () => {
  const choice = { noColorFlag: false, environment: {}, isTerminal: true };
  expect(createStyle(choice, 0).columns).toBe(Infinity);
  expect(createStyle(choice, 80).columns).toBe(80);
});
