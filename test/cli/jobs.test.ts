import { readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { malachi } from '../helpers/cli.js';
import { clusterRoot } from '../helpers/cluster.js';
import { tempCopy } from '../helpers/temp.js';

/** Enough for worker threads to be worth their start; a hole takes no space. */
const BLANK_BYTES = 48 * 1024 * 1024;
const NODES = ['n1', 'n2', 'n3'];

/** The golden cluster, with so large a blank tail in one copy that the work is shared out. */
function largeCluster(): string {
  const root = tempCopy(clusterRoot);
  truncateSync(join(root, 'n2/shard_1/Z-r0-s4/00000000000000000016.log'), BLANK_BYTES);
  return root;
}

const nodesIn = (root: string): string[] => [
  ...NODES.flatMap((node) => ['--node', `malachi@${node}=${join(root, node)}`]),
  ...['--metadata', join(root, 'metadata.json')],
];

describe('one job and several', () => {
  test.each([
    ['inspect', (root: string) => NODES.map((node) => join(root, node))],
    ['compare', nodesIn],
    ['recover', (root: string) => NODES.map((node) => join(root, node))],
    ['settle', (root: string) => [...nodesIn(root), '--all']],
  ])('%s answers the same, byte for byte', (command, args) => {
    const root = largeCluster();
    const answer = (jobs: string) => {
      const { stdout, status } = malachi([command, ...args(root), '--json', '--jobs', jobs]);
      return { stdout, status };
    };
    const alone = answer('1');
    expect(alone.status).not.toBe(3);
    expect(answer('3')).toEqual(alone);
  });

  test('settling leaves the same files behind', () => {
    const left = ['1', '3'].map((jobs) => {
      const root = largeCluster();
      const place = ['--quarantine', join(root, 'quarantine'), '--yes'];
      malachi(['settle', ...nodesIn(root), '--all', '--apply', ...place, '--jobs', jobs]);
      return NODES.flatMap((node) => filesBelow(join(root, node)));
    });
    expect(left[0]?.length).toBeGreaterThan(100);
    expect(left[1]).toEqual(left[0]);
  });
});

function filesBelow(root: string): [string, string][] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry): [string, string] => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(root.length), readFileSync(path).toString('base64')];
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
