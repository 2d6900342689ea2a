import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSnapshot } from '../../src/control-plane/snapshot.js';
import { endOffset } from '../../src/control-plane/segment-record.js';
import { readText } from '../../src/operations/metadata.js';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { runToEnd } from '../../src/format/walk.js';
import { sealAtSteps } from '../../src/operations/seal-at.js';
import { bareEnvironment, bin, malachi, parseAnswer } from '../helpers/cli.js';
import { clusterRoot, metadataPath } from '../helpers/cluster.js';
import { CrashError, FaultyDisk } from '../helpers/faulty-disk.js';
import { nodesOf } from '../helpers/plan.js';
import { tempCopy } from '../helpers/temp.js';
import { readTree } from '../helpers/tree.js';

function command(cluster: string): string[] {
  const nodes = nodesOf(cluster);
  const quarantine = `${cluster}-quarantine`;
  const files = ['--metadata', metadataPath, '--quarantine', quarantine];
  return ['settle', ...files, ...nodes, '--all', '--apply', '--json'];
}

/** What settling leaves when nothing disturbs it. */
function settledCluster(): Map<string, string> {
  const cluster = tempCopy(clusterRoot);
  malachi(command(cluster));
  return readTree(cluster);
}

test('killed again and again, it comes to the same end, and can all be undone', async () => {
  const cluster = tempCopy(clusterRoot);
  const before = readTree(cluster);
  const after = settledCluster();
  for (let delayMs = 300; ; delayMs += 130) {
    const child = spawn(process.execPath, [bin, ...command(cluster)], {
      env: bareEnvironment,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let told = '';
    child.stderr.on('data', (text) => (told += String(text)));
    const timer = setTimeout(() => child.kill('SIGKILL'), delayMs);
    const [code] = (await once(child, 'exit')) as [number | null];
    clearTimeout(timer);
    if (code === null) continue;
    expect(code, told).toBe(1);
    break;
  }
  expect(readTree(cluster)).toEqual(after);
  const quarantine = `${cluster}-quarantine`;
  const entries = readdirSync(quarantine)
    .map((name) => join(quarantine, name))
    .filter((entry) => existsSync(join(entry, 'manifest.json')));
  expect(malachi(['restore', '--apply', ...entries]).status).toBe(0);
  expect(readTree(cluster)).toEqual(before);
});

test('a copy that was cut but not yet fenced is above nothing any more, and is finished all the same', () => {
  const cluster = tempCopy(clusterRoot);
  const text = readText(nodeDisk, metadataPath);
  const listed = readSnapshot([{ name: metadataPath, text }]).byName.get('events-r0-s0');
  if (listed?.state !== 'sealed') throw new Error('events-r0-s0 is not sealed');
  const { startOffset, byteSize } = listed;
  const copy = {
    replica: 'malachi@n2',
    segment: 'events-r0-s0',
    logRoot: join(cluster, 'n2'),
    directory: join(cluster, 'n2/shard_0/events-r0-s0'),
    seal: { startOffset, endOffset: endOffset(listed), byteSize },
    plannedBytes: null,
  };
  const quarantine = `${cluster}-quarantine`;
  const options = { apply: true, quarantine, dropRot: false, assumeUnused: false };
  const disk = new FaultyDisk();
  let isCut = false;
  disk.inject({ kind: 'crash', when: 'before' }, ({ name }) => {
    isCut ||= name === 'truncate';
    return isCut && name === 'rename';
  });
  expect(() => runToEnd(sealAtSteps(disk, copy, options))).toThrow(CrashError);
  expect(readdirSync(copy.directory)).toContain('SETTLING');
  expect(readdirSync(copy.directory)).not.toContain('SEALED');

  const dry = malachi(command(cluster).filter((word) => word !== '--apply'));
  const applied = malachi(command(cluster));
  for (const { stdout } of [dry, applied]) {
    const { results } = parseAnswer<{ results: { segment: string; replica: string }[] }>(stdout);
    expect(results[0]).toMatchObject({ segment: 'events-r0-s0', replica: 'malachi@n2' });
  }
  expect(readTree(cluster)).toEqual(settledCluster());
});

test('an interrupt ends it between two copies, with exit 130 and no lock left', async () => {
  const cluster = tempCopy(clusterRoot);
  const child = spawn(process.execPath, [bin, ...command(cluster)], {
    env: bareEnvironment,
    stdio: 'ignore',
  });
  const quarantine = `${cluster}-quarantine`;
  while (!existsSync(quarantine)) await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([130, null]);
  const names = [...readTree(cluster).keys()];
  expect(names.filter((name) => /lock|tmp|SETTLING/.test(name))).toEqual([]);
});
