import { appendFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exitCodesOf } from '../../src/operations/settle-exit.js';
import type { SealResult } from '../../src/operations/seal-result.js';
import type { SettleAnswer } from '../../src/operations/settle.js';
import { malachi } from '../helpers/cli.js';
import { fixtures } from '../helpers/golden.js';
import { tempCopy } from '../helpers/temp.js';

const LOG = 'n3/orders-r0-s1/00000000000000000040.log';

/** The incident cluster, settled; with the entry of the copy of orders-r0-s1 on n3. */
function settled(): { cluster: string; entry: string; settle: string[] } {
  const cluster = tempCopy(join(fixtures, 'incident'));
  const nodes = ['n1', 'n2', 'n3'].flatMap((n) => ['--node', `malachi@${n}=${join(cluster, n)}`]);
  const quarantine = `${cluster}-quarantine`;
  const inputs = ['--metadata', join(cluster, 'metadata.json'), '--quarantine', quarantine];
  const settle = ['settle', ...inputs, ...nodes, '--apply'];
  malachi(settle);
  const name = readdirSync(quarantine).find((entry) => entry.includes('orders-r0-s1')) ?? '';
  return { cluster, entry: join(quarantine, name), settle };
}

describe('restore', () => {
  test('1: a dry run with something to put back; 0: put back; 0: nothing to do', () => {
    const { entry } = settled();
    expect(malachi(['restore', entry]).status).toBe(1);
    expect(malachi(['restore', entry, '--apply']).status).toBe(0);
    expect(malachi(['restore', entry]).status).toBe(0);
  });

  test('2: no such entry', () => {
    expect(malachi(['restore', '/no/such/entry']).status).toBe(2);
    expect(malachi(['restore']).status).toBe(2);
  });

  test('3: a manifest that cannot be read', () => {
    const { cluster } = settled();
    const entry = join(cluster, 'entry');
    mkdirSync(join(entry, 'manifest.json'), { recursive: true });
    expect(malachi(['restore', entry]).status).toBe(3);
  });

  test('4: the copy is not as the cut left it', () => {
    const { cluster, entry } = settled();
    appendFileSync(join(cluster, LOG), 'more');
    expect(malachi(['restore', entry, '--apply']).status).toBe(4);
  });
});

describe('settle', () => {
  test('3: a log root whose format marker cannot be read', () => {
    const cluster = tempCopy(join(fixtures, 'incident'));
    mkdirSync(join(cluster, 'odd', 'malachi.format'), { recursive: true });
    const nodes = ['--node', `malachi@n1=${join(cluster, 'odd')}`];
    const inputs = ['--metadata', join(cluster, 'metadata.json'), '--partial'];
    expect(malachi(['settle', ...inputs, ...nodes]).status).toBe(3);
  });

  const answer = (outcome: SealResult['outcome']): SettleAnswer => ({
    ...{ applied: true, nextAfter: null, remaining: 0, measured: 1, waiting: 0, errors: [] },
    ...{ shortCopies: 0, orphanedFences: 0, elsewhere: [] },
    results: [{ ...RESULT, outcome }],
    summary: {} as SettleAnswer['summary'],
  });

  test.each([
    ['trimmed', 0],
    ['fenced', 0],
    ['confirmed', 0],
    ['short', 1],
    ['damaged', 1],
    ['failed', 3],
    ['refused', 4],
    ['stale', 4],
  ] as const)('a copy that is %s asks for %i', (outcome, code) => {
    expect(Math.max(...exitCodesOf(answer(outcome)))).toBe(code);
  });
});

const RESULT: SealResult = {
  ...{ replica: 'malachi@n1', segment: 'events-r0-s1', startOffset: 0n, endOffset: 1n },
  ...{ outcome: 'trimmed', heldRecords: 1, droppedRecords: 0, droppedBytes: 0, byteSize: 39 },
  ...{ changedFiles: 1, fenced: true, quarantine: null, cut: null, reason: null, error: null },
};
