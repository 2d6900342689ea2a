import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parsePlan } from '../../src/control-plane/plan-document.js';
import { malachi } from '../helpers/cli.js';
import { clusterRoot, expectedCluster } from '../helpers/cluster.js';
import { expectGolden, metadata, nodesOf, plan } from '../helpers/plan.js';
import { jsonText, sealedJson, topicJson } from '../helpers/snapshots.js';
import { tempDirectory } from '../helpers/temp.js';

/** Takes an inventory of each golden node, each in its own run. @returns their paths. */
function takeInventories(): string[] {
  const directory = tempDirectory();
  return Object.entries(expectedCluster.nodes).map(([node, name]) => {
    const path = join(directory, `${name}.json`);
    const { stdout, status } = malachi([
      'inventory',
      '--node',
      `${node}=${join(clusterRoot, name)}`,
    ]);
    expect(status).toBe(0);
    writeFileSync(path, stdout);
    return path;
  });
}

describe('the golden cluster', () => {
  test('from log roots', () => {
    expectGolden(plan(...metadata, ...nodesOf(clusterRoot), '--batch-size', '1000'));
  });

  test('from inventories, and from both', () => {
    const inventories = takeInventories();
    const given = inventories.flatMap((path) => ['--inventory', path]);
    expectGolden(plan(...metadata, ...given, '--batch-size', '1000'));
    const mixed = [...given.slice(0, 4), ...nodesOf(clusterRoot).slice(4)];
    expectGolden(plan(...metadata, ...mixed, '--batch-size', '1000'));
  });

  test('in batches that take turns, each as a saved plan that settling reads back', () => {
    const seen: string[] = [];
    let after: string[] = [];
    for (let left = 1; left > 0; left = seen.length < expectedCluster.actions.length ? 1 : 0) {
      const { stdout, answer } = plan(
        ...metadata,
        ...nodesOf(clusterRoot),
        ...['--batch-size', '30'],
        ...after,
      );
      const saved = parsePlan({ name: 'plan.json', text: stdout });
      expect(saved.nextAfter).toBe(answer.next_after);
      seen.push(...saved.actions.map(({ segment, replica }) => `${segment}/${replica}`));
      after = ['--after', saved.nextAfter ?? ''];
    }
    const every = expectedCluster.actions.map(
      ({ segment, replica }) => `${String(segment)}/${String(replica)}`,
    );
    expect(seen.slice(0, every.length)).toEqual(every);
  });

  test('a latched copy is left out, and a slip in its name is told', () => {
    const failed = 'Z-r0-s0/malachi@n1';
    const { answer, stderr } = plan(
      ...metadata,
      ...nodesOf(clusterRoot),
      ...['--failed', failed, '--failed', 'Z-r0-s0/malachi@n7'],
    );
    expect(answer.next_after).not.toBeNull();
    expect(answer.unsettled).toBe(expectedCluster.actions.length - 1);
    expect(answer.skipped).toContainEqual({
      segment: 'Z-r0-s0',
      replica: 'malachi@n1',
      reason: 'failed',
    });
    expect(stderr).toBe('--failed Z-r0-s0/malachi@n7: the metadata has no such replica\n');
  });
});

describe('names', () => {
  const [n1, n2] = ['malachi@n1.example.org', 'a.b@c'];
  const foreign = Buffer.from([131, 104, 2, 109, 0, 0, 0, 2, 0xc3, 0xa9]).toString('base64url');
  const sealed = (seq: number) =>
    sealedJson(seq, { start_offset: seq * 10, primary: n1, replica_set: [n1, n2] });
  const topics = [
    topicJson('a', [sealed(10), sealed(2)]),
    topicJson('Z', [sealed(0)]),
    topicJson('audit.log-r1-s2', [sealed(0)]),
    topicJson('é', [sealed(0)]),
  ];

  /** Both nodes hold 200 bytes of each segment, n1 in shards. */
  function cluster(): string[] {
    const root = tempDirectory();
    writeFileSync(join(root, 'metadata.json'), jsonText(topics));
    const segments = ['a-r0-s10', 'a-r0-s2', 'Z-r0-s0', 'audit.log-r1-s2-r0-s0', foreign];
    for (const [index, segment] of segments.entries()) {
      for (const parent of [`n1/shard_${index % 2}`, 'n2']) {
        const copy = join(root, parent, segment);
        mkdirSync(copy, { recursive: true });
        writeFileSync(join(copy, '00000000000000000000.log'), Buffer.alloc(200));
      }
    }
    const nodes = [`${n1}=${join(root, 'n1')}`, `${n2}=${join(root, 'n2')}`];
    return [
      '--metadata',
      join(root, 'metadata.json'),
      ...nodes.flatMap((node) => ['--node', node]),
    ];
  }

  test('order by bytes and by numbers; a topic beyond ASCII is kept apart', () => {
    const { answer } = plan(...cluster());
    expect(answer.actions.map(({ segment, replica }) => [segment, replica])).toEqual(
      ['Z-r0-s0', 'a-r0-s2', 'a-r0-s10', 'audit.log-r1-s2-r0-s0'].flatMap((segment) => [
        [segment, n2],
        [segment, n1],
      ]),
    );
    expect(answer.skipped).toEqual([
      { segment: foreign, replica: n2, reason: 'foreign_id' },
      { segment: foreign, replica: n1, reason: 'foreign_id' },
      { segment: 'é-r0-s0', replica: null, reason: 'foreign_id' },
    ]);
  });

  test('a cursor starts past its key, and a printed one can be given back', () => {
    const args = cluster();
    const shown = malachi(['plan-overrun', ...args, '--batch-size', '3']).stdout;
    const cursor = /^ {2}--after '(.*)'$/m.exec(shown)?.[1] ?? '';
    expect(cursor).toBe(`a-r0-s2/${n2}`);
    const { answer } = plan(...args, '--batch-size', '1', '--after', cursor);
    expect(answer.next_after).toBe(`a-r0-s2/${n1}`);
  });
});
