import { Chalk } from 'chalk';
import { describe, expect, test } from 'vitest';
import type { SealResult } from '../../src/operations/seal-result.js';
import type { SettleAnswer } from '../../src/operations/settle.js';
import { commandLine } from '../../src/report/command-line.js';
import { renderRestoration } from '../../src/report/restore.js';
import { renderSettling } from '../../src/report/settle.js';

const style = { chalk: new Chalk({ level: 0 }), columns: 80 };
const words = ['settle', '--metadata', 'my topics.json', '--node', 'malachi@n1=/mnt/n1'];

const trimmed: SealResult = {
  replica: 'malachi@n3',
  segment: 'events-r0-s1',
  startOffset: 3n,
  endOffset: 6n,
  outcome: 'trimmed',
  heldRecords: 4,
  droppedRecords: 1,
  droppedBytes: 1041,
  byteSize: 123,
  changedFiles: 3,
  fenced: true,
  quarantine: null,
  cut: {
    firstFile: '00000000000000000003.log',
    position: 123,
    lastFile: '00000000000000000006.log',
  },
  reason: null,
  error: null,
};

function answerWith(results: SealResult[], more: Partial<SettleAnswer> = {}): SettleAnswer {
  const count = (outcome: string): number =>
    results.filter((result) => result.outcome === outcome).length;
  return {
    applied: false,
    results,
    nextAfter: 'events-r0-s1/malachi@n3',
    remaining: 0,
    measured: 3,
    waiting: 0,
    summary: {
      trimmed: count('trimmed'),
      fenced: 0,
      confirmed: 0,
      short: count('short'),
      damaged: count('damaged'),
      failed: 0,
      refused: 0,
      stale: 0,
    },
    errors: [],
    ...more,
  };
}

describe('what settle tells a person', () => {
  test('says of each copy how much goes, and from which file to which, in 80 columns', () => {
    const text = renderSettling(answerWith([trimmed]), words, style);
    const row = text.split('\n').find((line) => line.startsWith('events-r0-s1'));
    expect(row?.split(/ {2,}/)).toEqual([
      'events-r0-s1/malachi@n3',
      'trimmed',
      '4',
      '1',
      '1,041',
      '3@123',
      '6',
    ]);
    const pasted = '  malachi settle';
    for (const line of text.split('\n')) {
      if (!line.startsWith(pasted)) expect(line.length).toBeLessThanOrEqual(80);
    }
  });

  test('a dry run ends with the command that does it; one that would do nothing does not', () => {
    expect(renderSettling(answerWith([trimmed]), words, style)).toContain(
      "To do it:\n  malachi settle --metadata 'my topics.json' --node malachi@n1=/mnt/n1 --apply\n",
    );
    const idle = answerWith([{ ...trimmed, changedFiles: 0 }]);
    expect(renderSettling(idle, words, style)).not.toContain('To do it');
    expect(renderSettling(answerWith([]), words, style)).toBe('Nothing to settle.\n');
  });

  test('a batch ends with what remains, where the rest is kept, and the command to go on', () => {
    const quarantine = '/q/malachi@n3.events-r0-s1.123-1164.20260101T000000.000Z';
    const applied = answerWith([{ ...trimmed, quarantine }], {
      applied: true,
      remaining: 7,
      waiting: 2,
    });
    const text = renderSettling(applied, [...words, '--after', 'a-r0-s0/n', '--apply'], style);
    const wanted = [
      '1 copy: 1 trimmed; 7 copies are left for a later batch.',
      'What was cut is kept in /q; malachi restore puts it back.',
      'The next batch:',
      "  malachi settle --metadata 'my topics.json' --node malachi@n1=/mnt/n1 --apply --after events-r0-s1/malachi@n3",
      '2 segments wait for a replica whose node is not given: give it, or add',
      '--partial.',
    ];
    expect(text.trimEnd().endsWith(wanted.join('\n'))).toBe(true);
  });

  test('a saved plan is followed by another plan, not by itself', () => {
    const applied = answerWith([trimmed], { applied: true, remaining: 7, measured: null });
    const text = renderSettling(applied, ['settle', '--plan', 'plan.json', '--apply'], style);
    expect(text).toContain(
      'The next batch:\n  malachi plan-overrun … --after events-r0-s1/malachi@n3 --json\n',
    );
  });

  test('names the copies that are not settled, and why, with nothing raw from outside', () => {
    const replica = 'malachi@\u001b[2Jn';
    const reason = 'x.log is rot below the recorded end';
    const text = renderSettling(
      answerWith([{ ...trimmed, replica, outcome: 'damaged', cut: null, reason }]),
      [...words, '--node', `${replica}=/mnt`],
      style,
    );
    expect(text).toContain('damaged events-r0-s1/malachi@\\u001b[2Jn\n  x.log is rot below');
    expect(text).not.toContain('\u001b');
  });
});

test('the next command line differs in nothing but what it must', () => {
  expect(commandLine(['settle', '--after=a', '--all'], { after: 'b' })).toBe(
    'malachi settle --all --after b',
  );
  expect(commandLine(['settle', '--after', 'a'], { apply: true })).toBe(
    'malachi settle --after a --apply',
  );
});

test('restore says of each file what becomes of it', () => {
  const copy = {
    entry: '/q/e',
    node: null,
    segment: 'events-r0-s1',
    directory: '/mnt/n1/events-r0-s1',
    restoredBytes: 41,
    files: [
      { name: 'SEALED', change: 'removed', bytes: null },
      { name: '00000000000000000003.log', change: 'extended', bytes: 1164 },
    ],
  } as const;
  const dry = { applied: false, results: [copy], errors: [] };
  expect(renderRestoration(dry, ['restore', '/q/e'], style).split('\n')).toEqual([
    '/mnt/n1/events-r0-s1',
    'FILE                      CHANGE    BYTES THEN',
    'SEALED                    removed',
    '00000000000000000003.log  extended       1,164',
    '',
    'Dry run, nothing was changed: 1 copy, 41 bytes of log would come back.',
    'To do it:',
    '  malachi restore /q/e --apply',
    '',
  ]);
  const done = { applied: true, results: [copy, { ...copy, files: [] }], errors: [] };
  expect(renderRestoration(done, [], style)).toContain('Restored 1 copy, 41 bytes of log.');
});
