import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandTable } from '../../src/cli/command-table.js';
import { malachi } from '../helpers/cli.js';
import { tempDirectory } from '../helpers/temp.js';

const scriptFor = (shell: string): string => malachi(['completion', shell]).stdout;
const bashScript = scriptFor('bash');

/** What bash offers for the last of these words; they are split as bash splits a line, at `=` too. */
function complete(words: readonly string[], cwd = tempDirectory()): string[] {
  const list = words.map((word) => `'${word}'`).join(' ');
  const program = `COMP_WORDS=(malachi ${list}); COMP_CWORD=${words.length}; _malachi
    for word in "\${COMPREPLY[@]}"; do printf '%s\\n' "$word"; done`;
  const input = `${bashScript}\n${program}`;
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-s'], {
    input,
    cwd,
    encoding: 'utf8',
  });
  // compopt works in an interactive completion only, which it says.
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .sort();
}

function tree(): string {
  const directory = tempDirectory();
  mkdirSync(join(directory, 'data one'));
  mkdirSync(join(directory, 'data two'));
  writeFileSync(join(directory, 'data.json'), '');
  return directory;
}

describe('bash', () => {
  test('commands, every one that there is', () => {
    for (const name of Object.keys(commandTable)) expect(complete([''])).toContain(name);
    expect(complete(['insp'])).toEqual(['inspect']);
    expect(complete(['help', 'insp'])).toEqual(['inspect']);
  });

  test('flags, those that the help of the command has', () => {
    for (const name of Object.keys(commandTable)) {
      const help = malachi([name, '--help']).stdout.split('\nExamples:')[0] ?? '';
      const flags = [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag]) => flag);
      expect(complete([name, '--'])).toEqual([...new Set(flags)].sort());
    }
    expect(complete(['inspect', 'x', '--pre'])).toEqual(['--prealloc-bytes']);
  });

  test('paths with blanks, as arguments and as values', () => {
    const cwd = tree();
    expect(complete(['inspect', 'da'], cwd)).toEqual(['data one', 'data two', 'data.json']);
    expect(complete(['check', 'da'], cwd)).toEqual(['data one', 'data two']);
    expect(complete(['fixture', 'x', '--out', 'da'], cwd)).toEqual(['data one', 'data two']);
    expect(complete(['fixture', 'x', '--out', '=', 'da'], cwd)).toEqual(['data one', 'data two']);
    expect(complete(['fixture', 'x', '--out', '='], cwd)).toHaveLength(2);
  });

  test('a log root behind its node', () => {
    const cwd = tree();
    for (const before of [['--node'], ['--node', '=']]) {
      const words = ['compare', '--json', ...before, 'malachi@n1', '=', 'da'];
      expect(complete(words, cwd)).toEqual(['data one', 'data two']);
    }
  });

  test('words where there is a choice, and nothing for a number', () => {
    expect(complete(['completion', ''])).toEqual(['bash', 'fish', 'zsh']);
    expect(complete(['explain', 'orphan'])).toContain('orphaned_fence');
    expect(complete(['inspect', '--prealloc-bytes', ''], tree())).toEqual([]);
  });
});

describe.each(['bash', 'zsh', 'fish'])('%s', (shell) => {
  const script = scriptFor(shell);

  test('has every command with its flags', () => {
    for (const name of Object.keys(commandTable)) expect(script).toContain(name);
    for (const flag of ['prealloc-bytes', 'metadata', 'junit']) expect(script).toContain(flag);
  });

  test('can be read by the shell, where that is installed', ({ annotate }) => {
    const path = join(tempDirectory(), 'script');
    writeFileSync(path, script);
    const { status, stderr, error } = spawnSync(shell, ['-n', path], { encoding: 'utf8' });
    if (error && 'code' in error && error.code === 'ENOENT') {
      expect(shell).not.toBe('bash');
      return annotate(`${shell} is not installed: its completions were not read by it`);
    }
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return undefined;
  });
});

test('exit codes: 0 printed, 2 an unknown shell', () => {
  expect(malachi(['completion', 'bash']).status).toBe(0);
  const { status, stdout, stderr } = malachi(['completion', 'csh']);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^malachi: .*bash, zsh, fish.*\n$/);
});

test('the flags that every command has are taken, and change nothing of a script', () => {
  for (const flag of ['--quiet', '-q', '--no-color']) {
    const { status, stdout } = malachi(['completion', 'bash', flag]);
    expect(status).toBe(0);
    expect(stdout === bashScript).toBe(true);
  }
});
