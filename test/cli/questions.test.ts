import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { malachi, parseAnswer } from '../helpers/cli.js';
import { fixtures, goldenRoot } from '../helpers/golden.js';
import { tempCopy } from '../helpers/temp.js';
import { onTerminal } from '../helpers/terminal.js';
import { readTree } from '../helpers/tree.js';

const settling = [
  ...['settle', '--metadata', 'metadata.json', '--apply'],
  ...['n1', 'n2', 'n3'].flatMap((node) => ['--node', `malachi@${node}=${node}`]),
];
const commands: [string, string[]][] = [
  ['settle', settling],
  ['recover', ['recover', 'n1', '--apply']],
  ['reindex', ['reindex', 'n2', '--apply']],
];

/** The incident, with an index that is bad. */
function incident(): string {
  const cwd = tempCopy(join(fixtures, 'incident'));
  const copy = join(cwd, 'n2', 'orders-r0-s5');
  const log = readdirSync(copy).find((name) => name.endsWith('.log')) ?? '';
  writeFileSync(join(copy, log.replace('.log', '.idx')), 'no index at all!');
  return cwd;
}

// The questions need a terminal; script(1) of util-linux makes one.
describe.runIf(process.platform === 'linux').each(commands)('%s --apply', (name, args) => {
  test('on a terminal shows the plan, then asks; no changes nothing', () => {
    const cwd = incident();
    const before = readTree(cwd);
    const { status, terminal, stdout } = onTerminal(args, 'n\n', cwd);
    expect([status, stdout]).toEqual([4, '']);
    const plan = terminal.indexOf('Dry run, nothing was changed');
    const question = terminal.search(/\? \[y\/N\]/);
    expect(plan).toBeGreaterThan(-1);
    expect(question).toBeGreaterThan(plan);
    expect(terminal).not.toContain('To do it');
    expect(terminal).toContain('malachi: nothing was changed\n');
    expect(readTree(cwd)).toEqual(before);
  });

  test('answered with yes, stdout has the result alone', () => {
    const cwd = incident();
    const twin = incident();
    const { terminal, stdout } = onTerminal([...args, '--json'], 'y\n', cwd);
    expect(terminal).toContain('Dry run, nothing was changed');
    expect(parseAnswer<unknown>(stdout)).toMatchObject({
      schema: `malachi.${name}/1`,
      applied: true,
    });
    malachi(args, { cwd: twin });
    const logs = (root: string) =>
      [...readTree(root)].filter(([path]) => /^n\d.*(log|idx|SEALED)$/.test(path));
    expect(logs(cwd)).toEqual(logs(twin));
    expect(logs(cwd)).not.toEqual(logs(incident()));
  });

  test('where nothing is to be changed, and with --yes, nothing is asked', () => {
    const cwd = incident();
    const { terminal } = onTerminal([...args, '--yes'], '', cwd);
    expect(terminal).not.toMatch(/\[y\/N\]|Dry run/);
    const again = onTerminal(args, '', cwd);
    expect(again.terminal).not.toMatch(/\[y\/N\]|Dry run/);
    expect(again.stdout).not.toBe('');
  });
});

test.runIf(process.platform === 'linux')(
  'without a quarantine the plan and the question say that it is gone for good, and what',
  () => {
    const cwd = tempCopy(join(goldenRoot, 'rot-length-up'));
    const args = ['recover', '.', '--discard-recoverable', '--no-quarantine'];
    const { terminal } = onTerminal([...args, '--apply'], 'n\n', cwd);
    const [plan = '', question = ''] = terminal.split('Recover 1 file');
    expect(plan).toMatch(/gone\s+for\s+good/);
    expect(question).toContain('gone for good; 3 whole records will go)? [y/N]');
  },
);
