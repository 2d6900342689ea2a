import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bareEnvironment, bin, malachi, parseAnswer } from '../helpers/cli.js';
import { clusterRoot, expectedCluster, metadataPath } from '../helpers/cluster.js';
import type { PlanAnswerJson } from '../helpers/plan.js';
import { expectGolden, metadata, nodesOf, plan } from '../helpers/plan.js';
import { jsonText, NODES, sealedJson, topicJson } from '../helpers/snapshots.js';
import { tempCopy, tempDirectory } from '../helpers/temp.js';

describe('exit codes', () => {
  /** A cluster of one segment of 123 bytes, on three nodes; n1 stores `bytes`. */
  function smallCluster(bytes: number): { root: string; args: string[] } {
    const root = tempDirectory();
    for (const [index, size] of [bytes, 123, 123].entries()) {
      const copy = join(root, `n${index + 1}`, 'audit.log-r1-s2-r0-s0');
      mkdirSync(copy, { recursive: true });
      writeFileSync(join(copy, '00000000000000000000.log'), Buffer.alloc(size));
    }
    const snapshot = join(root, 'metadata.json');
    writeFileSync(snapshot, jsonText(topicJson('audit.log-r1-s2', [sealedJson(0)])));
    const nodes = NODES.flatMap((node, at) => ['--node', `${node}=${join(root, `n${at + 1}`)}`]);
    return { root, args: ['--metadata', snapshot, ...nodes] };
  }

  test('0: every copy agrees with its seal', () => {
    const { status, answer } = plan(...smallCluster(123).args);
    expect(status).toBe(0);
    expect(answer).toMatchObject({ actions: [], next_after: null, unsettled: 0, skipped: [] });
  });

  test.each([
    [124, { unsettled: 1, short: [] }],
    [122, { unsettled: 0, short: [{ stored_bytes: 122 }] }],
  ])('1: a copy of %i bytes', (bytes, found) => {
    const { status, answer } = plan(...smallCluster(bytes).args);
    expect(status).toBe(1);
    expect(answer).toMatchObject(found);
  });

  test('1: one node alone measures nothing, unless the plan may be partial', () => {
    const { args } = smallCluster(123);
    const alone = args.slice(0, 4);
    expect(plan(...alone)).toMatchObject({ status: 1, answer: { measured: 0, unsettled: 0 } });
    expect(malachi(['plan-overrun', ...alone]).stdout).toContain('--partial');
    expect(plan(...alone, '--partial')).toMatchObject({ status: 0, answer: { measured: 1 } });
  });

  test('1: metadata that lists none of the copies measures nothing', () => {
    const { root, args } = smallCluster(123);
    const other = jsonText(topicJson('other', [sealedJson(0)]));
    writeFileSync(join(root, 'metadata.json'), other);
    const { status, answer } = plan(...args, '--partial');
    expect(status).toBe(1);
    expect(answer.skipped.map(({ reason }) => reason)).toContain('not_in_metadata');
  });

  const n1 = `malachi@n1=${join(clusterRoot, 'n1')}`;
  const all = [...metadata, ...nodesOf(clusterRoot)];
  test.each<[string, string[], RegExp]>([
    ['no metadata', ['--node', n1], /^malachi: expected a --metadata, found none$/],
    ['no copies', metadata, /^malachi: expected a --node or an --inventory, found neither$/],
    [
      'no such snapshot',
      ['--node', n1, '--metadata', '/no/such'],
      /^malachi: \/no\/such: no such file or directory$/,
    ],
    ['a directory for a snapshot', ['--node', n1, '--metadata', clusterRoot], /is a directory/],
    [
      'no such inventory',
      [...all, '--inventory', '/no/such'],
      /^malachi: \/no\/such: no such file or directory$/,
    ],
    [
      'a snapshot for an inventory',
      [...all, '--inventory', metadataPath],
      /metadata\.json: \/schema: expected "malachi\.inventory\/1", found nothing$/,
    ],
    [
      'no such root',
      [...metadata, '--node', 'malachi@n1=/no/such'],
      /\/no\/such: no such file or directory$/,
    ],
    [
      'a node that no segment names',
      [...all, '--node', 'malachi@n9=/'],
      /^malachi: node "malachi@n9": expected a node of the metadata's replica sets \(malachi@n1, malachi@n2, malachi@n3\), found it in none$/,
    ],
    [
      'a node twice',
      [...all, '--node', n1],
      /^malachi: --node "malachi@n1": expected each name once/,
    ],
    [
      'a root twice',
      [...metadata, '--node', n1, '--node', `malachi@n2=${join(clusterRoot, 'n2/../n1')}`],
      /expected a log root of its own, found .* to be the directory of "malachi@n1"$/,
    ],
    [
      'a node without a root',
      [...all, '--node', 'malachi@n1'],
      /^malachi: --node: expected NAME=LOG_ROOT/,
    ],
    ['a batch of 0', [...all, '--batch-size', '0'], /whole number from 1/],
    ['a replication factor of 0', [...all, '--replication-factor', '0'], /whole number from 1/],
    [
      'a bad cursor',
      [...all, '--after', 'events-r0'],
      /^malachi: --after: expected SEGMENT\/NODE, .* found "events-r0"$/,
    ],
    ['a bad copy', [...all, '--failed', 'x'], /^malachi: --failed: expected SEGMENT\/NODE/],
  ])('2: %s', (_, args, message) => {
    const { status, stdout, stderr } = malachi(['plan-overrun', ...args]);
    expect(stderr.trimEnd()).toMatch(message);
    expect(stderr.trimEnd()).not.toContain('\n');
    expect(stdout).toBe('');
    expect(status).toBe(2);
  });

  test('2: one root under two names through a link', () => {
    const link = join(tempDirectory(), 'link');
    symlinkSync(join(clusterRoot, 'n1'), link);
    const { status, stderr } = malachi([
      'plan-overrun',
      ...metadata,
      ...['--node', n1, '--node', `malachi@n2=${link}`],
    ]);
    expect(status).toBe(2);
    expect(stderr).toContain('to be the directory of "malachi@n1"');
  });

  test('2: a node in two inventories, or in an inventory and a log root', () => {
    const path = join(tempDirectory(), 'n1.json');
    writeFileSync(path, malachi(['inventory', '--node', n1]).stdout);
    for (const more of [
      ['--inventory', path],
      ['--node', n1],
    ]) {
      const { status, stderr } = malachi([
        'plan-overrun',
        ...metadata,
        ...['--inventory', path],
        ...more,
      ]);
      expect(status).toBe(2);
      expect(stderr).toBe('malachi: node "malachi@n1": expected each node once, found it again\n');
    }
  });

  test('2: an inventory of no node', () => {
    const { status, stderr } = malachi(['inventory']);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: 'malachi: expected a --node, found none\n',
    });
  });

  test('2: a snapshot that is none, with the place', () => {
    const { root, args } = smallCluster(123);
    const broken = sealedJson(0, { length: null });
    writeFileSync(join(root, 'metadata.json'), jsonText([topicJson('audit.log-r1-s2', [broken])]));
    const { status, stderr } = malachi(['plan-overrun', ...args]);
    expect(status).toBe(2);
    expect(stderr).toBe(
      `malachi: ${root}/metadata.json: /0/ranges/0/segments/0/length: expected a whole number of 0 or more for a sealed segment, found null\n`,
    );
  });

  test('2: bytes that are no UTF-8', () => {
    const { root, args } = smallCluster(123);
    writeFileSync(join(root, 'metadata.json'), Buffer.from([0x22, 0xff, 0x22]));
    const { status, stderr } = malachi(['plan-overrun', ...args]);
    expect(status).toBe(2);
    expect(stderr).toContain('expected text in UTF-8');
  });

  test('3: a closed copy is named and not measured; the rest is answered', () => {
    const cluster = tempCopy(clusterRoot);
    chmodSync(join(cluster, '..'), 0o755);
    const closed = join(cluster, 'n1/shard_0/Z-r0-s1');
    chmodSync(closed, 0o000);
    const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    const run = (...args: string[]) => {
      const options = { encoding: 'utf8', env: bareEnvironment, ...user } as const;
      return spawnSync(process.execPath, [bin, ...args], options);
    };
    const args = [...metadata, ...nodesOf(cluster), '--batch-size', '1000'];
    const { status, stdout, stderr } = run('plan-overrun', '--json', ...args);
    const inventory = run('inventory', '--node', `malachi@n1=${join(cluster, 'n1')}`);
    chmodSync(closed, 0o755);
    expect(status).toBe(3);
    expect(stderr).toContain('EACCES');
    const answer = parseAnswer<PlanAnswerJson>(stdout);
    expect(answer.errors).toMatchObject([{ path: closed, code: 'EACCES' }]);
    expect(answer.skipped).toContainEqual({
      segment: 'Z-r0-s1',
      replica: 'malachi@n1',
      reason: 'unreadable',
    });
    const others = expectedCluster.actions.filter(({ segment }) => segment !== 'Z-r0-s1');
    expect(answer.actions.map(({ segment, replica }) => [segment, replica])).toEqual(
      others.map(({ segment, replica }) => [segment, replica]),
    );
    expect(inventory.status).toBe(3);
    expect(inventory.stdout).toMatch(/"segment": "Z-r0-s1",\s+"shard": 0,\s+"stored_bytes": null/);

    // What an inventory could not measure is not complete on another host either.
    const path = join(tempDirectory(), 'n1.json');
    writeFileSync(path, inventory.stdout);
    const elsewhere = plan(...metadata, '--inventory', path, ...nodesOf(cluster).slice(2));
    expect(elsewhere.status).toBe(3);
    expect(elsewhere.answer.skipped).toContainEqual({
      segment: 'Z-r0-s1',
      replica: 'malachi@n1',
      reason: 'unreadable',
    });
  });

  test('4: a log root of an unknown format, unless it is ignored', () => {
    const cluster = tempCopy(clusterRoot);
    writeFileSync(join(cluster, 'n2/malachi.format'), 'format=2\nrequires=1.0.0\n');
    const args = [...metadata, ...nodesOf(cluster), '--batch-size', '1000'];
    const { status, stderr, answer } = plan(...args);
    expect(status).toBe(4);
    expect(stderr).toContain('asks for release 1.0.0');
    expect(answer.skipped).toContainEqual({
      segment: 'Z-r0-s0',
      replica: 'malachi@n2',
      reason: 'unreadable',
    });
    expectGolden(plan(...args, '--ignore-format'));
  });
});
