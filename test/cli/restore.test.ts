import { join } from 'node:path';
import { expect, test } from 'vitest';
import { malachi } from '../helpers/cli.js';
import { fixtures } from '../helpers/golden.js';
import { tempCopy } from '../helpers/temp.js';

/** The incident, settled into a quarantine with a blank in its name. */
function settled(): string {
  const cwd = tempCopy(join(fixtures, 'incident'));
  const nodes = ['n1', 'n2', 'n3'].flatMap((node) => ['--node', `malachi@${node}=${node}`]);
  const kept = ['--quarantine', 'what was cut'];
  malachi(['settle', '--metadata', 'metadata.json', ...nodes, '--apply', ...kept], { cwd });
  return cwd;
}

test('2: a whole quarantine, with the command for its entries', () => {
  const cwd = settled();
  const { status, stderr, stdout } = malachi(['restore', 'what was cut/'], { cwd });
  expect(status).toBe(2);
  expect(stdout).toContain('1 entry could not be restored');
  expect(stderr).toMatch(
    /^malachi: what was cut\/: expected .*, found a quarantine with \d+ entries\n/,
  );
  expect(stderr.endsWith("For all of them:\n  malachi restore 'what was cut'/*\n")).toBe(true);
});

test('2: neither a quarantine nor an entry', () => {
  const cwd = settled();
  const expected = 'expected a quarantine entry, a directory with a manifest.json';
  for (const [path, found] of [
    ['n1', 'found none in it'],
    ['metadata.json', 'found none in it'],
    ['nowhere', 'found nothing'],
  ] as const) {
    const { status, stderr } = malachi(['restore', path], { cwd });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `malachi: ${path}: ${expected}, ${found}\n`,
    });
  }
});
