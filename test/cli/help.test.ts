import { describe, expect, test } from 'vitest';
import { commandTable } from '../../src/cli/command-table.js';
import { malachi } from '../helpers/cli.js';

const names = Object.keys(commandTable);

describe.each(names)('help %s', (name) => {
  const { status, stdout, stderr } = malachi(['help', name]);

  test('is the help of the command, with examples and exit codes', () => {
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toBe(malachi([name, '--help']).stdout);
    expect(stdout).toMatch(new RegExp(`^Usage: malachi ${name} `));
    expect(stdout).toMatch(new RegExp(`\\nExamples:\\n  \\$ .*malachi ${name}`));
    expect(stdout).toMatch(/\nExit codes:\n {2}0 /);
  });
});

test('help lists every command', () => {
  const { status, stdout } = malachi(['help']);
  expect(status).toBe(0);
  for (const name of names) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
});

test.each([
  [['inspekt'], 'Did you mean inspect?'],
  [['help', 'inspekt'], 'did you mean inspect?'],
  [['inspect', '--prealoc-bytes', '1', 'x'], 'Did you mean --prealloc-bytes?'],
  [['inspect'], 'see: malachi help inspect'],
  [['inspect', '--prealloc-bytes', '1e3', 'x'], 'see: malachi help inspect'],
  [['nonsense'], 'see: malachi help'],
  [['help', 'nonsense'], 'one of inspect'],
])('2: %j, and one line says the next step', (args, next) => {
  const { status, stdout, stderr } = malachi(args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(next);
  expect(stderr).toMatch(/^[^\n]+\n$/);
});
