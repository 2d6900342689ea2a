import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { malachi, parseAnswer } from '../helpers/cli.js';
import { fixtures, goldenRoot } from '../helpers/golden.js';
import { schemaFaults } from '../helpers/schema.js';
import { tempCopy, tempDirectory } from '../helpers/temp.js';
import { treeState } from '../helpers/tree-state.js';

interface Answer {
  applied: boolean;
  files: { path: string; outcome: string; after_bytes: number; quarantine: string | null }[];
  errors: { code: string; message: string; exit_code: number }[];
  summary: Record<string, number>;
}

/** A log root with these golden cases as copies, and a place for a quarantine beside it. */
function rootWith(...names: string[]) {
  const cwd = tempDirectory();
  const root = join(cwd, 'n1');
  mkdirSync(root);
  for (const name of names) {
    const copy = tempCopy(join(goldenRoot, name));
    mkdirSync(join(root, name));
    for (const file of readdirSync(copy).filter((one) => one !== 'expected.json')) {
      writeFileSync(join(root, name, file), readFileSync(join(copy, file)));
    }
  }
  return { cwd, root };
}

function recover(cwd: string, ...args: string[]) {
  const run = malachi(['recover', '--json', ...args], { cwd });
  expect(schemaFaults(run.stdout)).toEqual([]);
  return { ...run, answer: parseAnswer<Answer>(run.stdout) };
}

function outcomes({ answer }: { answer: Answer }): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { path, outcome } of answer.files) found[path.split('/').at(-2) ?? ''] = outcome;
  return found;
}

describe('exit codes', () => {
  test('1, then 0: a dry run changes nothing, an applied one discards and keeps it', () => {
    const { cwd, root } = rootWith('torn-payload', 'five-records');
    const before = treeState(cwd);
    const planned = recover(cwd, 'n1');
    expect(planned.status).toBe(1);
    expect(treeState(cwd)).toEqual(before);
    const applied = recover(cwd, 'n1', '--apply');
    expect(applied.status).toBe(0);
    expect(outcomes(applied)).toEqual({ 'torn-payload': 'discarded', 'five-records': 'none' });
    expect(outcomes(planned)).toEqual(outcomes(applied));
    const entry = applied.answer.files.find(({ outcome }) => outcome === 'discarded')?.quarantine;
    expect(entry?.startsWith(join(cwd, 'malachi-quarantine'))).toBe(true);
    expect(recover(cwd, 'n1')).toMatchObject({ status: 0 });
    expect(readdirSync(root).sort()).toEqual(['five-records', 'torn-payload']);
    expect(malachi(['restore', entry ?? '', '--apply'], { cwd }).status).toBe(0);
    expect(outcomes(recover(cwd, 'n1'))).toEqual(outcomes(planned));
  });

  test('1: damage that stays', () => {
    const { cwd } = rootWith('rot-middle-frame', 'torn-sealed');
    const run = recover(cwd, 'n1', '--apply');
    expect(run.status).toBe(1);
    expect(run.answer.summary).toMatchObject({ preserved: 2 });
    expect(readdirSync(cwd)).toEqual(['n1']);
  });

  test('2: a wrong path, a wrong number, no path, while other paths are answered', () => {
    const { cwd } = rootWith('five-records');
    const run = recover(cwd, 'n1', 'no/such');
    expect(run.status).toBe(2);
    expect(run.answer.summary).toMatchObject({ files: 1 });
    expect(malachi(['recover']).status).toBe(2);
    expect(malachi(['recover', 'n1', '--prealloc-bytes', '-1'], { cwd }).status).toBe(2);
  });

  test('3: a log root that cannot be read, while others are recovered', () => {
    const { cwd } = rootWith('torn-payload');
    mkdirSync(join(cwd, 'n2', 'malachi.format'), { recursive: true });
    const run = recover(cwd, 'n2', 'n1', '--apply');
    expect(run.status).toBe(3);
    expect(run.answer.errors).toMatchObject([{ path: 'n2', code: 'EISDIR' }]);
    expect(outcomes(run)).toEqual({ 'torn-payload': 'discarded' });
  });

  test('4: a directory in the place of a log file', () => {
    const { cwd, root } = rootWith('torn-payload');
    mkdirSync(join(root, 'a-r0-s0', '00000000000000000000.log'), { recursive: true });
    const run = recover(cwd, 'n1', '--apply');
    expect(run.status).toBe(4);
    expect(run.answer.errors).toMatchObject([{ code: 'ELINK' }]);
    expect(outcomes(run)).toEqual({ 'torn-payload': 'discarded' });
  });

  test('4: whole records behind the damage, unless that is asked for', () => {
    const { cwd } = rootWith('rot-length-up', 'torn-payload');
    const run = recover(cwd, 'n1', '--apply');
    expect(run.status).toBe(4);
    expect(outcomes(run)).toEqual({ 'rot-length-up': 'refused', 'torn-payload': 'discarded' });
    const meant = recover(cwd, 'n1', '--apply', '--discard-recoverable');
    expect(meant.status).toBe(0);
    expect(outcomes(meant)).toEqual({ 'rot-length-up': 'discarded', 'torn-payload': 'none' });
  });

  test('4: an open file', () => {
    const { cwd, root } = rootWith('torn-payload');
    const log = join(root, 'torn-payload', '00000000000000000000.log');
    const fd = openSync(log, 'r');
    try {
      const before = treeState(cwd);
      const run = recover(cwd, 'n1', '--apply');
      expect(run.status).toBe(4);
      expect(run.answer.errors).toMatchObject([{ code: 'EINUSE' }]);
      expect(run.answer.files).toMatchObject([{ outcome: 'refused', after_bytes: 184 }]);
      expect(readFileSync(log)).toHaveLength(184);
      expect([...treeState(cwd).keys()]).toEqual([...before.keys()]);
    } finally {
      closeSync(fd);
    }
  });

  test('4: another run on the log root', () => {
    const { cwd, root } = rootWith('torn-payload');
    symlinkSync(
      JSON.stringify({ pid: 1, host: 'elsewhere' }),
      join(root, 'malachi-toolkit.lock.1'),
    );
    const run = recover(cwd, 'n1', '--apply');
    expect(run.status).toBe(4);
    expect(run.answer.errors).toMatchObject([{ code: 'ELOCKED' }]);
  });

  test('4: a quarantine inside the log root, or none without a yes', () => {
    const { cwd, root } = rootWith('torn-payload');
    const before = treeState(root);
    for (const args of [['--quarantine', 'n1/kept'], ['--no-quarantine']]) {
      const run = malachi(['recover', 'n1', '--apply', ...args], { cwd });
      expect({ status: run.status, stdout: run.stdout }).toEqual({ status: 4, stdout: '' });
      expect(run.stderr).toMatch(/^malachi: .+\n$/);
    }
    expect(treeState(root)).toEqual(before);
    const meant = recover(cwd, 'n1', '--apply', '--no-quarantine', '--yes');
    expect(meant.status).toBe(0);
    expect(readdirSync(cwd)).toEqual(['n1']);
  });

  test('4: a file that is not the last of its log, a copy that is half settled', () => {
    const { cwd, root } = rootWith('torn-payload');
    const copy = join(root, 'torn-payload');
    writeFileSync(join(copy, '00000000000000000004.log'), '');
    const first = recover(cwd, join('n1', 'torn-payload', '00000000000000000000.log'));
    expect(first.status).toBe(4);
    expect(first.answer.errors).toMatchObject([{ code: 'ENOTLAST' }]);
    expect(recover(cwd, 'n1').status).toBe(0);
    writeFileSync(join(copy, 'SETTLING'), 'x');
    expect(recover(cwd, 'n1').answer.errors).toMatchObject([{ code: 'EUNFINISHED' }]);
  });
});

test('preallocation: a small file is extended, as the node would', () => {
  const { cwd } = rootWith('five-records', 'sealed-with-index');
  const run = recover(cwd, 'n1', '--apply', '--prealloc-bytes', '131072');
  expect(outcomes(run)).toEqual({ 'five-records': 'extended', 'sealed-with-index': 'none' });
  expect(run.answer.files[0]?.after_bytes).toBe(131072);
});

test('a person is told what goes, what is refused, and how to go on', () => {
  const cwd = tempCopy(join(fixtures, 'incident'));
  const { status, stdout } = malachi(['recover', 'n1', 'n3'], { cwd });
  expect(status).toBe(4);
  expect(stdout).toContain('Would discard 31 bytes from byte 1,520 on.');
  expect(stdout).toContain('refused: 6 whole records stand behind the damage');
  expect(stdout).toContain(
    'Next: malachi salvage n3/orders-r0-s5/00000000000000000145.log --out rescued/00000000000000000145.log',
  );
  expect(stdout.endsWith('To do it:\n  malachi recover n1 n3 --apply\n')).toBe(true);
  // Commands are there to be pasted, and are not wrapped.
  const prose = stdout.split('\n').filter((line) => !line.includes('malachi '));
  expect(Math.max(...prose.map((line) => line.length))).toBeLessThanOrEqual(80);
});

describe('whole records that go with a discarded tail', () => {
  const told = (cwd: string, ...args: string[]): string => {
    const { stdout } = malachi(['recover', 'n1', '--discard-recoverable', ...args], { cwd });
    return stdout.replaceAll(/\n */g, ' ');
  };

  test('are counted and named by their offsets, in a dry run and when it is done', () => {
    const { cwd } = rootWith('rot-length-up');
    // Of five records the second has a length that is too large.
    const dry = told(cwd);
    expect(dry).toContain('3 whole records (offsets 2 to 4) would go with them.');
    expect(dry).not.toContain('gone for good');
    expect(told(cwd, '--no-quarantine')).toContain('what is cut is gone for good');
    const applied = told(cwd, '--apply');
    expect(applied).toContain('3 whole records (offsets 2 to 4) went with them.');
    const undo = /To undo it: malachi (restore \S+)/.exec(applied)?.[1]?.split(' ') ?? [];
    expect(malachi([...undo, '--apply'], { cwd }).status).toBe(0);
    expect(told(cwd)).toBe(dry);
  });

  test('are none where there are none', () => {
    expect(told(rootWith('torn-payload').cwd)).not.toContain('whole record');
  });
});

test('a file with other names is cut all the same, and the note tells of them, once', () => {
  const { cwd, root } = rootWith('torn-payload', 'five-records');
  for (const name of ['torn-payload', 'five-records']) {
    linkSync(join(root, name, '00000000000000000000.log'), join(cwd, `backup-of-${name}`));
  }
  const note = `${join(root, 'torn-payload', '00000000000000000000.log')} has 1 other name (hard links)`;
  for (const args of [[], ['--apply']]) {
    const { stderr, status } = recover(cwd, 'n1', ...args);
    expect(stderr.split('\n').filter((line) => line.startsWith(note))).toHaveLength(1);
    expect(stderr).not.toContain('five-records');
    expect(status).toBe(args.length === 0 ? 1 : 0);
  }
  expect(readFileSync(join(cwd, 'backup-of-torn-payload'))).toHaveLength(164);
  expect(recover(cwd, 'n1').stderr).toBe('');
});

test('a dry run says what would be, and counts in words that agree', () => {
  const { cwd } = rootWith('torn-payload', 'five-records', 'one-record');
  const { stdout } = malachi(['recover', 'n1'], { cwd });
  expect(stdout.replace(/\n/g, ' ')).toContain(
    '3 last files: 2 as they are and 1 would be discarded.',
  );
});
