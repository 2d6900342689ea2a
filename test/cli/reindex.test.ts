import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { malachi, parseAnswer } from '../helpers/cli.js';
import { fixtures } from '../helpers/golden.js';
import { schemaFaults } from '../helpers/schema.js';
import { tempCopy } from '../helpers/temp.js';
import { treeState } from '../helpers/tree-state.js';

interface Answer {
  files: { path: string; state: string; rebuilt: boolean }[];
  errors: { path: string; code: string }[];
  summary: Record<string, number>;
}

const first = join('n1', 'orders-r0-s0', '00000000000000000000');

/** The incident cluster with one index gone and one wrong. */
function incident(): string {
  const cwd = tempCopy(join(fixtures, 'incident'));
  unlinkSync(join(cwd, `${first}.idx`));
  writeFileSync(join(cwd, 'n2/orders-r0-s0/00000000000000000025.idx'), 'no index');
  return cwd;
}

function reindex(cwd: string, ...args: string[]) {
  const run = malachi(['reindex', '--json', ...args], { cwd });
  expect(schemaFaults(run.stdout)).toEqual([]);
  return { ...run, answer: parseAnswer<Answer>(run.stdout) };
}

test('1, then 0: a dry run changes nothing, an applied one writes what was lost', () => {
  const cwd = incident();
  const before = treeState(cwd);
  const planned = reindex(cwd, 'n1', 'n2', 'n3');
  expect(planned.status).toBe(1);
  expect(planned.answer.summary).toMatchObject({ missing: 1, bad: 1, ok: 3, rebuilt: 2 });
  expect(treeState(cwd)).toEqual(before);
  const applied = reindex(cwd, 'n1', 'n2', 'n3', '--apply');
  expect(applied.status).toBe(0);
  expect(applied.answer.files).toEqual(planned.answer.files);
  for (const name of [`${first}.idx`, 'n2/orders-r0-s0/00000000000000000025.idx']) {
    expect(readFileSync(join(cwd, name))).toEqual(readFileSync(join(fixtures, 'incident', name)));
  }
  expect(reindex(cwd, 'n1', 'n2', 'n3').status).toBe(0);
});

test('1: damaged records are named and left alone', () => {
  const cwd = incident();
  writeFileSync(join(cwd, 'n2/orders-r0-s4/00000000000000000120.sealed'), '');
  const run = reindex(cwd, 'n2', '--apply');
  expect(run.status).toBe(1);
  expect(run.answer.files.find(({ path }) => path.includes('s4'))).toMatchObject({
    state: 'damaged',
    rebuilt: false,
  });
  expect(run.answer.summary).toMatchObject({ damaged: 1, rebuilt: 1 });
});

test('an interval that is asked for replaces a right index of another one', () => {
  const cwd = tempCopy(join(fixtures, 'incident'));
  const run = reindex(cwd, 'n1', '--index-interval', '64', '--apply');
  expect(run.status).toBe(0);
  expect(run.answer.summary).toMatchObject({ other: 2, rebuilt: 2 });
  // Records of 70 to 76 bytes lie further apart than the interval: each has its entry.
  expect(readFileSync(join(cwd, `${first}.idx`))).toHaveLength(40 * 16);
  expect(reindex(cwd, 'n1').answer.summary).toMatchObject({ other: 2, rebuilt: 0 });
});

test('2: invalid input, while other paths are answered', () => {
  const cwd = incident();
  const run = reindex(cwd, 'no/such', 'n3');
  expect(run.status).toBe(2);
  expect(run.answer.summary).toMatchObject({ files: 1 });
  expect(malachi(['reindex', 'n1', '--index-interval', '0'], { cwd }).status).toBe(2);
});

test('3: an index that cannot be read', () => {
  const cwd = incident();
  // What can be read and is no file of the log is a refusal; what cannot be read, a failure.
  writeFileSync(join(cwd, 'n1/malachi.format'), 'format=1\n');
  unlinkSync(join(cwd, 'n1/malachi.format'));
  mkdirSync(join(cwd, 'n1/malachi.format'));
  const run = reindex(cwd, 'n1', 'n3');
  expect(run.status).toBe(3);
  expect(run.answer.errors).toMatchObject([{ path: 'n1', code: 'EISDIR' }]);
  expect(run.answer.summary).toMatchObject({ files: 1 });
});

test('4: an open file, a link, another run on the log root', () => {
  const cwd = incident();
  const fd = openSync(join(cwd, `${first}.log`), 'r');
  try {
    const run = reindex(cwd, 'n1', '--apply');
    expect(run.status).toBe(4);
    expect(run.answer.errors).toMatchObject([{ code: 'EINUSE' }]);
  } finally {
    closeSync(fd);
  }
  symlinkSync('/etc/hostname', join(cwd, `${first}.idx`));
  const link = reindex(cwd, 'n1', '--apply');
  expect(link.answer.errors).toMatchObject([{ code: 'ELINK' }]);
  unlinkSync(join(cwd, `${first}.idx`));
  symlinkSync(
    JSON.stringify({ pid: 1, host: 'elsewhere' }),
    join(cwd, 'n1', 'malachi-toolkit.lock.1'),
  );
  const locked = reindex(cwd, 'n1', '--apply');
  expect(locked.status).toBe(4);
  expect(new Set(locked.answer.errors.map(({ code }) => code))).toEqual(new Set(['ELOCKED']));
});

test('a person is told which, and how to go on', () => {
  const cwd = incident();
  const { status, stdout } = malachi(['reindex', 'n1', 'n2'], { cwd });
  expect(status).toBe(1);
  expect(stdout).toMatch(/^orders-r0-s0 +0 {2}missing +1$/m);
  const { files } = reindex(cwd, 'n1', 'n2').answer;
  const due = files.filter(({ state }) => state !== 'ok').length;
  expect(stdout.replace(/\n/g, ' ')).toContain(` ${due} would be rebuilt. `);
  expect(stdout.endsWith('To do it:\n  malachi reindex n1 n2 --apply\n')).toBe(true);
});
