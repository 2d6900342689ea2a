import { Chalk } from 'chalk';
import { describe, expect, test } from 'vitest';
import type { SealResult } from '../../src/operations/seal-result.js';
import type { SettleAnswer } from '../../src/operations/settle.js';
import { checkingLine, commandLine } from '../../src/report/command-line.js';
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
    shortCopies: 0,
    orphanedFences: 0,
    elsewhere: [],
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
      '2 segments wait for a replica whose node is not given: give it, or add',
      '--partial.',
      'What was cut is kept in /q. To undo it:',
      `  malachi restore ${quarantine}`,
      'To check it:',
      "  malachi plan-overrun --metadata 'my topics.json' --node malachi@n1=/mnt/n1",
      'The next batch:',
      "  malachi settle --metadata 'my topics.json' --node malachi@n1=/mnt/n1 --apply --after events-r0-s1/malachi@n3",
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

  test('many entries are not pasted, and how to find them is said', () => {
    const results = [1, 2, 3, 4].map((n) => ({ ...trimmed, quarantine: `/q/entry-${n}` }));
    const many = renderSettling(answerWith(results, { applied: true }), words, style);
    expect(many.replaceAll('\n', ' ')).toContain('kept in /q, in 4 entries named NODE.SEGMENT');
    expect(many).toContain('\n  malachi restore /q/entry-1\n');
    const few = renderSettling(answerWith(results.slice(1), { applied: true }), words, style);
    expect(few).toContain('\n  malachi restore /q/entry-2 /q/entry-3 /q/entry-4\n');
  });

  test('short copies, orphaned fences and copies elsewhere are told, with the next step', () => {
    const text = renderSettling(
      answerWith([], {
        shortCopies: 1200,
        orphanedFences: 1,
        elsewhere: [
          { replica: 'malachi@n1', copies: 4 },
          { replica: 'malachi@n3', copies: 1 },
        ],
      }),
      words,
      style,
    );
    expect(text.split('\n')).toEqual([
      'Nothing to settle.',
      'Found 1,200 short copies and 1 orphaned fence, which settling does not help.',
      'What they need:',
      "  malachi plan-overrun --metadata 'my topics.json' --node malachi@n1=/mnt/n1",
      '5 copies of the plan are on nodes that are not given: 4 on malachi@n1 and 1 on',
      'malachi@n3. Settle them on their hosts.',
      '',
    ]);
  });

  test('a dry run says what would be, and that without a quarantine it is gone for good', () => {
    const dry = renderSettling(answerWith([trimmed]), words, style, { keepsNothing: true });
    expect(dry).toContain(
      'Dry run, nothing was changed: 1 copy: 1 would be trimmed. Nothing is kept: the\ncut is gone for good.\n',
    );
    const asking = renderSettling(answerWith([trimmed]), words, style, { asks: true });
    expect(asking).not.toContain('To do it');
    expect(asking).not.toContain('gone for good');
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

test('what settled is checked by the inputs that it was planned from', () => {
  const given = ['settle', '--all', '--node=a=/x', '--metadata', 'm', '--partial', '--apply', '-y'];
  expect(checkingLine(given)).toBe('malachi plan-overrun --node=a=/x --metadata m --partial');
  expect(checkingLine(['settle', '--plan', 'p', '--node', 'a=/x', '--quarantine', 'q'])).toBe(
    'malachi plan-overrun --metadata FILE --node a=/x',
  );
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
  const dry = { applied: false, results: [copy], unfinished: [], errors: [] };
  expect(renderRestoration(dry, ['restore', '/q/e'], style).split('\n')).toEqual([
    '/q/e',
    'of /mnt/n1/events-r0-s1',
    'FILE                      CHANGE    BYTES THEN',
    'SEALED                    removed',
    '00000000000000000003.log  extended       1,164',
    '',
    'Dry run, nothing was changed: 1 copy, 41 bytes of log would come back.',
    'To do it:',
    '  malachi restore /q/e --apply',
    '',
  ]);
  const done = {
    applied: true,
    results: [copy, { ...copy, files: [] }],
    unfinished: [],
    errors: [],
  };
  expect(renderRestoration(done, [], style)).toContain('Restored 1 copy, 41 bytes of log.');
});
