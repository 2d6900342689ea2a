import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/disk/disk.js';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { exitCodesOf } from '../../src/operations/settle-exit.js';
import type { SettleListener, SettleRequest } from '../../src/operations/settle.js';
import { settle } from '../../src/operations/settle.js';
import { clusterInputs, clusterRoot, expectedCluster } from '../helpers/cluster.js';
import { FaultyDisk } from '../helpers/faulty-disk.js';
import { withoutProcesses } from '../helpers/quiet-disk.js';
import { tempCopy } from '../helpers/temp.js';
import { readTree } from '../helpers/tree.js';

const silent: SettleListener = {
  locked: () => undefined,
  unseen: () => undefined,
};

function request(cluster: string, more: Partial<SettleRequest> = {}): SettleRequest {
  return {
    inputs: clusterInputs(cluster),
    plan: null,
    apply: true,
    all: true,
    dropRot: false,
    quarantine: `${cluster}-quarantine`,
    assumeUnused: false,
    ...more,
  };
}

function run(disk: Disk, asked: SettleRequest, listener = silent) {
  return settle(withoutProcesses(disk), asked, listener);
}

describe('a run over several nodes', () => {
  test('leaves a log root alone that cannot be written to, and settles the others', async () => {
    const cluster = tempCopy(clusterRoot);
    const before = readTree(join(cluster, 'n1'));
    const disk = new FaultyDisk().inject(
      { kind: 'fail', code: 'EROFS' },
      ({ path, changes }) => changes && path.startsWith(join(cluster, 'n1')),
    );
    const answer = await run(disk, request(cluster));
    for (const { replica, outcome, error } of answer.results) {
      if (replica === 'malachi@n1') expect([outcome, error?.code]).toEqual(['failed', 'EROFS']);
      else expect(error).toBeNull();
    }
    expect(Math.max(...exitCodesOf(answer))).toBe(3);
    expect(readTree(join(cluster, 'n1'))).toEqual(before);
  });

  test('refuses a log root in a format that is not known, and settles the others', async () => {
    const cluster = tempCopy(clusterRoot);
    writeFileSync(join(cluster, 'n1/malachi.format'), 'format=2\nrequires=9.0.0\n');
    const asked = request(cluster);
    const answer = await run(nodeDisk, { ...asked, inputs: { ...asked.inputs, partial: true } });
    expect(answer.errors).toMatchObject([{ code: 'EFORMAT', exitCode: 4 }]);
    expect(new Set(answer.results.map(({ replica }) => replica))).toEqual(
      new Set(['malachi@n2', 'malachi@n3']),
    );
    const ignoring = { ...asked.inputs, ignoreFormat: true };
    const all = await run(nodeDisk, { ...asked, inputs: ignoring });
    expect(all.results.some(({ replica }) => replica === 'malachi@n1')).toBe(true);
  });

  test('refuses a segment that a node has two copies of', async () => {
    const cluster = tempCopy(clusterRoot);
    const asked = request(cluster, { apply: false });
    const { results } = await run(nodeDisk, asked);
    const plan = `${cluster}-plan.json`;
    const action = expectedCluster.actions.find(({ replica }) => replica === 'malachi@n2');
    const document = { schema: 'malachi.plan-overrun/1', batch_size: 1, after: null };
    const rest = { next_after: null, unsettled: 1, remaining: 0, actions: [action] };
    writeFileSync(
      plan,
      JSON.stringify({ ...document, ...rest }, (_, value: unknown) =>
        typeof value === 'bigint' ? Number(value) : value,
      ),
    );
    mkdirSync(join(cluster, 'n2', String(action?.['segment'])));
    const twice = await run(nodeDisk, { ...asked, plan, apply: true });
    expect(twice.results).toMatchObject([{ outcome: 'refused', error: { code: 'EDUPLICATE' } }]);
    expect(results.length).toBeGreaterThan(1);
  });

  test('with --drop-rot takes up copies again that were confirmed', async () => {
    const cluster = tempCopy(clusterRoot);
    const first = await run(nodeDisk, request(cluster));
    const confirmed = first.results.filter(({ outcome }) => outcome === 'confirmed');
    const second = await run(nodeDisk, request(cluster, { dropRot: true }));
    const fenced = second.results.filter(({ outcome }) => outcome === 'fenced');
    const names = (of: typeof confirmed) =>
      of.map(({ segment, replica }) => `${segment}/${replica}`);
    expect(confirmed.length).toBeGreaterThan(0);
    expect(names(fenced)).toEqual(names(confirmed));
  });
});
