import { cpSync, linkSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { malachi, parseAnswer } from '../helpers/cli.js';
import { clusterRoot, expectedCluster, metadataPath } from '../helpers/cluster.js';
import { nodesOf } from '../helpers/plan.js';
import { schemaFaults } from '../helpers/schema.js';
import { tempCopy, tempDirectory } from '../helpers/temp.js';

const { actions, short, orphaned_fences: fences } = expectedCluster;
const inputs = ['--metadata', metadataPath, ...nodesOf(clusterRoot)];
const failed = actions.flatMap(({ segment, replica }) => [
  '--failed',
  `${String(segment)}/${String(replica)}`,
]);

interface Answer {
  results: unknown[];
  short_copies: number | null;
  orphaned_fences: number | null;
  elsewhere: { replica: string; copies: number }[];
  summary: Record<string, number>;
}

function settle(...args: string[]) {
  const run = malachi(['settle', '--json', ...args], { cwd: tempDirectory() });
  expect(schemaFaults(run.stdout)).toEqual([]);
  return { ...run, answer: parseAnswer<Answer>(run.stdout) };
}

describe('short copies and orphaned fences, with nothing to settle', () => {
  test('are counted in the answer, and are findings', () => {
    const { status, answer } = settle(...inputs, ...failed);
    expect(status).toBe(1);
    expect(answer).toMatchObject({
      results: [],
      short_copies: short.length,
      orphaned_fences: fences.length,
      summary: { short: 0 },
    });
    expect(short.length * fences.length).toBeGreaterThan(0);
  });

  test('are told, with the command that names them', () => {
    const { status, stdout } = malachi(['settle', ...inputs, ...failed]);
    expect(status).toBe(1);
    const copies = short.length === 1 ? '1 short copy' : `${short.length} short copies`;
    expect(stdout).toContain(`Found ${copies} and `);
    const next = /^ {2}malachi (plan-overrun .*)$/m.exec(stdout)?.[1]?.split(' ') ?? [];
    const named = malachi(next.map((word) => word.replaceAll("'", ''))).stdout;
    for (const [replica, segment] of short) expect(named).toContain(`${segment}/${replica}`);
  });
});

describe('a saved plan', () => {
  const savePlan = (): string => {
    const plan = join(tempDirectory(), 'plan.json');
    const planning = ['plan-overrun', ...inputs, '--json', '--batch-size', '1000'];
    writeFileSync(plan, malachi(planning).stdout);
    return plan;
  };
  const countOf = (node: string): number =>
    actions.filter(({ replica }) => replica === node).length;

  test('with nothing for the given node is bad input, and names the nodes that it is for', () => {
    const plan = savePlan();
    const node = `malachi@N2=${join(clusterRoot, 'n2')}`;
    const run = malachi(['settle', '--plan', plan, '--node', node], { cwd: tempDirectory() });
    expect([run.status, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toBe(
      `malachi: ${plan}: expected a --node that the plan is for (malachi@n1, malachi@n2, malachi@n3), found "malachi@N2"\n`,
    );
  });

  test('tells how many of its copies are on nodes that are not given', () => {
    const run = ['--plan', savePlan(), '--node', `malachi@n2=${join(clusterRoot, 'n2')}`];
    const elsewhere = ['malachi@n1', 'malachi@n3'].map((replica) => {
      return { replica, copies: countOf(replica) };
    });
    const { answer } = settle(...run);
    expect(answer.elsewhere).toEqual(elsewhere);
    expect(answer).toMatchObject({ short_copies: null, orphaned_fences: null });
    const told = `${countOf('malachi@n1')} on malachi@n1 and ${countOf('malachi@n3')} on malachi@n3`;
    const { stdout } = malachi(['settle', ...run], { cwd: tempDirectory() });
    expect(stdout.replaceAll('\n', ' ')).toContain(told);
  });
});

test('a file that is cut and has other names is noted before, also in a dry run', () => {
  const cwd = tempCopy(join(clusterRoot, '..', 'incident'));
  const nodes = ['n1', 'n2', 'n3'].flatMap((node) => ['--node', `malachi@${node}=${node}`]);
  const args = ['settle', '--metadata', 'metadata.json', ...nodes];
  cpSync(cwd, `${cwd}-other`, { recursive: true });
  expect(malachi(args, { cwd }).stderr).not.toContain('hard links');
  const logs = readdirSync(cwd, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.log'),
  );
  for (const [at, log] of logs.entries()) linkSync(join(cwd, log), `${cwd}-other/${at}`);
  const notes = (stderr: string) =>
    stderr.split('\n').filter((line) => line.includes('hard links'));
  const dry = notes(malachi(args, { cwd }).stderr);
  const applied = malachi([...args, '--apply'], { cwd });
  expect(dry).toEqual(notes(applied.stderr));
  const cut = applied.stdout.split('\n').filter((line) => /\d@\d/.test(line));
  expect(dry).toHaveLength(cut.length);
  expect(dry.length).toBeGreaterThan(0);
  expect(malachi([...args, '--quiet'], { cwd }).stderr).toBe('');
});

test('an applied run ends with the commands that check and undo it', () => {
  const cluster = tempCopy(clusterRoot);
  const cwd = tempDirectory();
  const given = ['--metadata', metadataPath, ...nodesOf(cluster)];
  const { stdout } = malachi(['settle', ...given, '--batch-size', '2', '--apply'], { cwd });
  const commands = [...stdout.matchAll(/^ {2}malachi (.*)$/gm)].map(([, words = '']) =>
    words.split(' ').map((word) => word.replaceAll("'", '')),
  );
  const restore = commands.find(([name]) => name === 'restore') ?? [];
  expect(malachi([...restore, '--apply'], { cwd }).stdout).toContain('Restored');
  const check = commands.filter(([name]) => name === 'plan-overrun').at(-1) ?? [];
  expect(malachi([...check, '--json'], { cwd }).stdout).toBe(
    malachi(['plan-overrun', ...given, '--json'], { cwd }).stdout,
  );
});
