import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { malachi } from '../helpers/cli.js';
import { fixtures } from '../helpers/golden.js';
import { tempCopy } from '../helpers/temp.js';

const metadata = ['--metadata', 'metadata.json'];
const commands: [string, string[]][] = [
  ['plan-overrun', metadata],
  ['settle', metadata],
  ['compare', metadata],
  ['inventory', []],
];

describe.each(commands)('%s', (command, args) => {
  const stderrOf = (cwd: string, n1: string, ...more: string[]): string => {
    const nodes = [`malachi@n1=${n1}`, 'malachi@n2=n2', 'malachi@n3=n3'];
    const given = nodes.flatMap((node) => ['--node', node]);
    return malachi([command, ...args, ...given, ...more], { cwd }).stderr;
  };
  const note = (root: string): string =>
    `malachi@n1: no copy was found below ${root}: is this the log root, and is its volume mounted?\n`;

  test('notes a root without any copy: another level, or nothing mounted', () => {
    const cwd = tempCopy(join(fixtures, 'incident'));
    for (const name of ['empty/shard_0', 'above/data', 'odd\u001b']) {
      mkdirSync(join(cwd, name), { recursive: true });
    }
    for (const root of ['empty', 'above']) {
      expect(stderrOf(cwd, root)).toContain(note(root));
      expect(stderrOf(cwd, root, '--json')).toContain(note(root));
      expect(stderrOf(cwd, root, '--quiet')).not.toContain('no copy');
    }
    expect(stderrOf(cwd, 'odd\u001b')).toContain(note('odd\\u001b'));
  });

  test('does not where there is a copy, below a shard too, or where a node has been', () => {
    const cwd = tempCopy(join(fixtures, 'incident'));
    mkdirSync(join(cwd, 'sharded', 'shard_1', 'events-r0-s1'), { recursive: true });
    mkdirSync(join(cwd, 'fresh'));
    writeFileSync(join(cwd, 'fresh', 'malachi.format'), 'format=1\n');
    for (const root of ['n1', 'sharded', 'fresh']) {
      expect(stderrOf(cwd, root)).not.toContain('no copy');
    }
  });
});
