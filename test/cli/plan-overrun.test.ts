import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parsePlan } from '../../src/control-plane/plan-document.js';
import { malachi } from '../helpers/cli.js';
import { clusterRoot, expectedCluster } from '../helpers/cluster.js';
import { expectGolden, metadata, nodesOf, plan } from '../helpers/plan.js';
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
