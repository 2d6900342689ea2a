import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { lockLogRoot } from '../../src/disk/lock.js';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { malachi, parseAnswer } from '../helpers/cli.js';
import { clusterRoot, expectedCluster, metadataPath } from '../helpers/cluster.js';
import { nodesOf } from '../helpers/plan.js';
import { tempCopy, tempDirectory } from '../helpers/temp.js';
import { readTree } from '../helpers/tree.js';

interface SettleJson {
  schema: string;
  applied: boolean;
  results: {
    replica: string;
    segment: string;
    outcome: string;
    held_records: number | null;
    dropped_records: number | null;
    byte_size: number | null;
    quarantine: string | null;
    error: { code: string; message: string } | null;
  }[];
  next_after: string | null;
  remaining: number;
  summary: Record<string, number>;
}

const metadata = ['--metadata', metadataPath];
const copies = expectedCluster.copies;
const planned = expectedCluster.actions.map(
  ({ segment, replica }) => `${String(segment)}/${String(replica)}`,
);

function settle(...args: string[]) {
  const { status, stdout, stderr } = malachi(['settle', '--json', ...args], {
    cwd: tempDirectory(),
  });
  const answer = stdout === '' ? null : parseAnswer<SettleJson>(stdout);
  return { status, stderr, answer };
}

function settleAll(cluster: string, ...args: string[]) {
  const given = [...metadata, ...nodesOf(cluster), '--all'];
  return settle(...given, '--quarantine', `${cluster}-quarantine`, ...args);
}

describe('the golden cluster', () => {
  test('settled as a whole, then settled again, then restored', () => {
    const cluster = tempCopy(clusterRoot);
    const before = readTree(cluster);
    const dry = settleAll(cluster);
    expect(dry.status).toBe(1);
    expect(readTree(cluster)).toEqual(before);
    expect(existsSync(`${cluster}-quarantine`)).toBe(false);

    const { status, answer } = settleAll(cluster, '--apply');
    expect(status).toBe(1);
    expect(answer?.schema).toBe('malachi.settle/1');
    expect(answer?.results.map(({ segment, replica }) => `${segment}/${replica}`)).toEqual(planned);
    for (const result of answer?.results ?? []) {
      const want = copies[`${result.segment}/${result.replica}`];
      expect(result).toMatchObject({
        outcome: want?.outcome,
        held_records: Number(want?.held),
        dropped_records: Number(want?.dropped),
        error: null,
      });
      const directory = join(cluster, want?.dir ?? '');
      if (want?.outcome !== 'trimmed' && want?.outcome !== 'fenced') continue;
      expect(logBytes(directory)).toBe(want.good_hex);
      expect(result.byte_size).toBe(Number(want.byte_size));
    }
    const outcomes = (of: SettleJson | null) =>
      of?.results.map((result) => ({ ...result, quarantine: null }));
    expect(outcomes(dry.answer)).toEqual(outcomes(answer));

    const settled = readTree(cluster);
    const again = settleAll(cluster, '--apply');
    expect(again.answer?.results.every(({ outcome }) => outcome === 'damaged')).toBe(true);
    expect(again.answer?.results.length).toBe(answer?.summary['damaged']);
    expect(readTree(cluster)).toEqual(settled);

    const entries = readdirSync(`${cluster}-quarantine`).map((name) =>
      join(`${cluster}-quarantine`, name),
    );
    expect(malachi(['restore', ...entries]).status).toBe(1);
    expect(readTree(cluster)).toEqual(settled);
    expect(malachi(['restore', ...entries, '--apply']).status).toBe(0);
    expect(readTree(cluster)).toEqual(before);
    expect(malachi(['restore', ...entries, '--apply']).status).toBe(0);
  });

  test('in batches, as the closing command says', () => {
    const cluster = tempCopy(clusterRoot);
    let words = ['settle', ...metadata, ...nodesOf(cluster), '--batch-size', '30', '--apply'];
    const cwd = tempDirectory();
    const lines: string[] = [];
    for (let batch = 0; batch < 5 && words.length > 0; batch++) {
      const { stdout } = malachi(words, { cwd });
      lines.push(...stdout.split('\n').filter((line) => /^[\w-]+-r\d-s\d+\//.test(line)));
      const next = /^ {2}malachi (settle .*)$/m.exec(stdout)?.[1];
      words = next?.split(' ').map((word) => word.replaceAll("'", '')) ?? [];
    }
    // Then the pass wraps around, to the copies that are damaged still.
    expect(lines.map((line) => line.split(' ')[0]).slice(0, planned.length)).toEqual(planned);
  });

  test('by a saved plan, on one host, and again', () => {
    const cluster = tempCopy(clusterRoot);
    const plan = join(tempDirectory(), 'plan.json');
    const planning = ['plan-overrun', ...metadata, ...nodesOf(cluster), '--json'];
    writeFileSync(plan, malachi([...planning, '--batch-size', '1000']).stdout);
    const others = [readTree(join(cluster, 'n1')), readTree(join(cluster, 'n3'))];
    const run = ['--plan', plan, '--node', `malachi@n2=${join(cluster, 'n2')}`, '--apply'];
    const first = settle(...run, ...metadata);
    const keys = planned.filter((key) => key.endsWith('/malachi@n2'));
    expect(first.answer?.results.map(({ segment }) => `${segment}/malachi@n2`)).toEqual(keys);
    expect([readTree(join(cluster, 'n1')), readTree(join(cluster, 'n3'))]).toEqual(others);

    const settled = readTree(join(cluster, 'n2'));
    const again = settle(...run);
    expect(again.status).toBe(1);
    expect(again.answer?.summary).toMatchObject({ stale: 0, trimmed: 0, failed: 0 });
    expect(readTree(join(cluster, 'n2'))).toEqual(settled);
  });
});

function logBytes(directory: string): string {
  const names = readdirSync(directory).filter((name) => name.endsWith('.log'));
  return Buffer.concat(names.sort().map((name) => readFileSync(join(directory, name)))).toString(
    'hex',
  );
}

describe('refused, with nothing changed', () => {
  const expectRefused = (cluster: string, code: string, ...args: string[]): void => {
    const before = readTree(cluster);
    const { status, answer, stderr } = settleAll(cluster, '--apply', ...args);
    expect(status, stderr).toBe(4);
    expect(answer).toMatchObject({ schema: 'malachi.error/1', errors: [{ code }] });
    expect(readTree(cluster)).toEqual(before);
  };

  test('a file that another process has open: its pid and name are told, other nodes are settled', async () => {
    const cluster = tempCopy(clusterRoot);
    const file = join(cluster, 'n2/shard_0/Z-r0-s0/00000000000000000000.log');
    const script = 'require("fs").openSync(process.argv[1]);console.log(1);setInterval(Number,1e6)';
    const holder = spawn(process.execPath, ['-e', script, file], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => {
      holder.kill('SIGKILL');
    });
    await once(holder.stdout, 'data');
    const before = readTree(join(cluster, 'n2'));
    const { status, answer, stderr } = settleAll(cluster, '--apply');
    expect(status).toBe(4);
    expect(stderr).toContain(`process ${holder.pid} (node) has ${file} open`);
    for (const { replica, outcome } of answer?.results ?? []) {
      if (replica === 'malachi@n2') expect(outcome).toBe('refused');
      else expect(outcome).not.toBe('refused');
    }
    expect(readTree(join(cluster, 'n2'))).toEqual(before);
  });

  test('a log root that another run works on', () => {
    const cluster = tempCopy(clusterRoot);
    const lock = lockLogRoot(nodeDisk, join(cluster, 'n1'));
    const before = readTree(join(cluster, 'n1'));
    const { status, stderr } = settleAll(cluster, '--apply');
    expect(status).toBe(4);
    expect(stderr).toContain(`process ${process.pid} works on it`);
    expect(readTree(join(cluster, 'n1'))).toEqual(before);
    lock.release();
  });

  test('a quarantine inside a log root, also behind a link and where it is not there yet', () => {
    const cluster = tempCopy(clusterRoot);
    const link = join(tempDirectory(), 'link');
    symlinkSync(join(cluster, 'n1'), link);
    const elsewhere = tempCopy(join(clusterRoot, 'n1'));
    for (const place of [join(cluster, 'n1/a/b'), join(link, 'quarantine'), join(elsewhere, 'x')]) {
      expectRefused(cluster, 'EINSIDE', '--quarantine', place);
      expect(existsSync(place)).toBe(false);
    }
  });

  test('no quarantine, unless it is meant', () => {
    const cluster = tempCopy(clusterRoot);
    expectRefused(cluster, 'EWANTSYES', '--no-quarantine');
    const { status, answer } = settleAll(cluster, '--apply', '--no-quarantine', '--yes');
    expect(status).toBe(1);
    expect(answer?.results.every(({ quarantine }) => quarantine === null)).toBe(true);
  });

  test('a plan that the metadata no longer bears out', () => {
    const cluster = tempCopy(clusterRoot);
    const plan = join(tempDirectory(), 'plan.json');
    const planning = ['plan-overrun', ...metadata, ...nodesOf(cluster), '--json'];
    writeFileSync(plan, malachi(planning).stdout);
    const newer = join(tempDirectory(), 'newer.json');
    // Every segment was sealed one byte longer than it was planned.
    const text = readFileSync(metadataPath, 'utf8');
    const longer = text.replaceAll(
      /("byte_size": ?)(\d+)/g,
      (_, key, size) => `${key}${Number(size) + 1}`,
    );
    writeFileSync(newer, longer);
    const before = readTree(cluster);
    const run = ['--plan', plan, '--metadata', newer, ...nodesOf(cluster), '--apply'];
    const { status, answer } = settle(...run);
    expect(status).toBe(4);
    expect(answer?.results.every(({ outcome }) => outcome === 'stale')).toBe(true);
    expect(readTree(cluster)).toEqual(before);
  });
});

test('two runs at once: one works, the other is refused or finds nothing left', async () => {
  const cluster = tempCopy(clusterRoot);
  const args = ['settle', ...metadata, ...nodesOf(cluster), '--all', '--apply', '--json'];
  const { bin, bareEnvironment } = await import('../helpers/cli.js');
  const runs = ['a', 'b'].map(async (name) => {
    const quarantine = ['--quarantine', `${cluster}-${name}`];
    const child = spawn(process.execPath, [bin, ...args, ...quarantine], { env: bareEnvironment });
    child.stdout.resume();
    const [code] = (await once(child, 'exit')) as [number];
    return code;
  });
  const codes = await Promise.all(runs);
  expect(codes.every((code) => code === 1 || code === 4)).toBe(true);
  expect(settleAll(cluster, '--apply').answer?.summary).toMatchObject({
    trimmed: 0,
    fenced: 0,
    short: 0,
  });
  for (const node of ['n1', 'n2', 'n3']) {
    const names = [...readTree(join(cluster, node)).keys()];
    expect(names.filter((name) => /lock|tmp|SETTLING/.test(name))).toEqual([]);
  }
});

test('bad input is told in one line, with exit 2', () => {
  const cluster = tempCopy(clusterRoot);
  const node = `malachi@n1=${join(cluster, 'n1')}`;
  for (const args of [
    [...metadata],
    ['--node', node],
    ['--plan', join(cluster, 'nothing.json'), '--node', node],
    ['--plan', 'p', '--node', node, '--after', 'events-r0-s1/malachi@n1'],
    [...metadata, '--node', node, '--quarantine', metadataPath],
  ]) {
    const { status, stderr } = settle(...args);
    expect([status, stderr.trim().split('\n').length], args.join(' ')).toEqual([2, 1]);
  }
});
