import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { malachi, parseAnswer } from '../helpers/cli.js';
import { fixtures, goldenRoot } from '../helpers/golden.js';
import { faultsBy, schemaFaults } from '../helpers/schema.js';
import { tempCopy, tempDirectory } from '../helpers/temp.js';
import { treeState } from '../helpers/tree-state.js';

interface Answer {
  cases: {
    name: string;
    status: string;
    exit?: { expected: number; found: number | null };
    differences?: { pointer: string; expected: unknown; found?: unknown }[];
  }[];
  errors: { path: string; code: string; message: string }[];
  summary: Record<string, number>;
}

/** A directory of cases: name to the content of its case.json. */
function casesOf(cases: Record<string, unknown>): string {
  const directory = tempDirectory();
  for (const [name, content] of Object.entries(cases)) {
    mkdirSync(join(directory, name), { recursive: true });
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    writeFileSync(join(directory, name, 'case.json'), text);
  }
  return directory;
}

const torn = join(goldenRoot, 'torn-payload');
const right = { args: ['inspect', '--json', torn], exit: 1, json: { summary: { torn: 1 } } };
const checkJson = (...args: string[]) => {
  const run = malachi(['check', '--json', ...args]);
  expect(schemaFaults(run.stdout)).toEqual([]);
  return { ...run, answer: parseAnswer<Answer>(run.stdout) };
};

test("the project's own cases pass, and change nothing", () => {
  const before = treeState(fixtures);
  const { status, stdout, stderr } = malachi(['check', join(fixtures, 'cases')]);
  expect(stdout).toMatch(/^\d+ cases: \d+ passed\.\n$/);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(treeState(fixtures)).toEqual(before);
});

test("the project's own cases are what the schema of a case describes", () => {
  const names = readdirSync(join(fixtures, 'cases'), { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('case.json'));
  expect(files.length).toBeGreaterThan(20);
  for (const name of files) {
    const document: unknown = JSON.parse(readFileSync(join(fixtures, 'cases', name), 'utf8'));
    expect(faultsBy('case', document)).toEqual([]);
  }
});

describe('exit codes', () => {
  test('0: every case passed', () => {
    const { status, answer } = checkJson(casesOf({ a: right, 'deep/down/b': right }));
    expect(status).toBe(0);
    expect(answer.cases.map(({ name }) => name)).toEqual(['a', 'deep/down/b']);
    expect(answer.summary).toEqual({ cases: 2, passed: 2, failed: 0, invalid: 0 });
  });

  test('1: a failed case, with pointer, expected and found', () => {
    const wrong = { ...right, exit: 0, json: { summary: { torn: 2, files: 1 }, none: 1 } };
    const directory = casesOf({ right, wrong });
    const { status, answer } = checkJson(directory);
    expect(status).toBe(1);
    expect(answer.cases[1]).toMatchObject({
      name: 'wrong',
      status: 'failed',
      exit: { expected: 0, found: 1 },
      differences: [
        { pointer: '/summary/torn', expected: 2, found: 1 },
        { pointer: '/none', expected: 1 },
      ],
    });
    const { stdout } = malachi(['check', directory]);
    expect(stdout).toBe(
      'failed wrong\n' +
        '  exit code: expected 0, found 1\n' +
        '  /summary/torn: expected 2, found 1\n' +
        '  /none: expected 1, found nothing\n\n' +
        '2 cases: 1 passed and 1 failed.\n',
    );
  });

  test('1: an answer that is no JSON', () => {
    const text = { ...right, args: ['inspect', torn] };
    const { status, answer } = checkJson(casesOf({ text }));
    expect(status).toBe(1);
    expect(answer.cases[0]?.differences?.[0]?.pointer).toBe('');
  });

  test.each([
    ['no JSON', '{"args":', 'expected JSON'],
    ['no command', { args: [], exit: 0 }, '/args: expected a command, found an empty array'],
    ['an argument that is no text', { args: ['inspect', 1], exit: 0 }, '/args/1: expected a text'],
    ['no exit code', { args: ['inspect'] }, '/exit: expected a whole number from 0 to 255'],
    ['an unknown key', { ...right, exits: 1 }, '/exits: expected one of the keys'],
    ['a way out of the copy', { args: ['recover', '../x'], exit: 0 }, '/args/1: expected a path'],
    ['a node outside', { args: ['settle', '--node', 'a=/x'], exit: 0 }, '/args/2: expected a path'],
    ['a copy of nothing', { ...right, copy: ['x'], args: ['inspect', 'x'] }, '/copy: no such path'],
  ])('2: %s, while the others are run', (_, invalid, message) => {
    const { status, stderr, answer } = checkJson(casesOf({ invalid, right }));
    expect(status).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd()).not.toContain('\n');
    expect(answer.cases.map((one) => one.status)).toEqual(['invalid', 'passed']);
    expect(answer.errors[0]?.message).toContain(message);
  });

  test('2: no directory, no case, no case by this filter', () => {
    for (const args of [
      ['/no/such'],
      [tempDirectory()],
      [casesOf({ right }), '--filter', 'left'],
    ]) {
      const { status, stdout, stderr } = malachi(['check', ...args]);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(/^malachi: .+\n$/);
    }
  });

  test('4: a report over a file that is none', () => {
    const directory = casesOf({ right });
    const report = join(directory, 'right', 'case.json');
    const before = readFileSync(report, 'utf8');
    const { status, stderr } = malachi(['check', directory, '--junit', report]);
    expect(status).toBe(4);
    expect(stderr).toContain('is no XML report');
    expect(readFileSync(report, 'utf8')).toBe(before);
  });

  test('3: a case that cannot be read, while the others are run', () => {
    const directory = casesOf({ right });
    mkdirSync(join(directory, 'odd', 'case.json'), { recursive: true });
    const { status, answer } = checkJson(directory);
    expect(status).toBe(3);
    expect(answer.errors).toMatchObject([{ path: join(directory, 'odd'), code: 'EISDIR' }]);
    expect(answer.summary).toMatchObject({ passed: 1, invalid: 1 });
  });
});

test('a filter chooses cases by a part of their name', () => {
  const { answer } = checkJson(casesOf({ 'a/one': right, 'b/two': right }), '--filter', 'b/');
  expect(answer.cases.map(({ name }) => name)).toEqual(['b/two']);
});

test('integers past 2^53 are held against each other with all their digits', () => {
  const past = join(goldenRoot, 'base-offset-past-2-53');
  const asking = (digits: string): string =>
    `{"args":["inspect","--json",${JSON.stringify(past)}],"exit":0,"json":{"files":[{"next_offset":${digits}}]}}`;
  const directory = casesOf({
    right: asking('9007199254740998'),
    wrong: asking('9007199254740999'),
  });
  const { answer, stdout } = checkJson(directory);
  expect(answer.cases.map((one) => one.status)).toEqual(['passed', 'failed']);
  expect(stdout).toContain('"expected": 9007199254740999,\n          "found": 9007199254740998');
});

test('a command that can write runs in a copy that is gone afterwards', () => {
  const directory = casesOf({
    outer: { args: ['check', 'cases', '--junit', 'report.xml'], exit: 0, copy: ['../inner/cases'] },
    'inner/cases/right': right,
  });
  const before = treeState(directory);
  const temporary = tempDirectory();
  const environment = { TMPDIR: temporary };
  const { status } = malachi(['check', directory, '--filter', 'outer'], { environment });
  expect(status).toBe(0);
  expect(treeState(directory)).toEqual(before);
  expect(readdirSync(temporary)).toEqual([]);
});

test('cases that run themselves come to an end', () => {
  const directory = casesOf({ 'a/b': { args: ['check', '.'], exit: 0 } });
  expect(malachi(['check', directory]).status).toBe(1);
});

test('a hostile case is invalid, and the others are run', () => {
  const deep = `{"args":["inspect"],"exit":2,"json":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
  const directory = casesOf({ nul: { args: ['inspect', 'a\0b'], exit: 2 }, deep, right });
  const { status, answer } = checkJson(directory);
  expect(status).toBe(2);
  expect(answer.cases.map((one) => `${one.name} ${one.status}`)).toEqual([
    'deep invalid',
    'nul invalid',
    'right passed',
  ]);
});

describe('the JUnit report', () => {
  const wrong = { ...right, json: { files: [{ path: '<\u0001"&\ud800>' }] } };

  test('is XML that says what the answer says, and is replaced by the next run', () => {
    const directory = casesOf({ right, wrong, broken: '{' });
    const report = join(tempDirectory(), 'report.xml');
    expect(malachi(['check', directory, '--junit', report]).status).toBe(2);
    const xml = readFileSync(report, 'utf8');
    expect(xml).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites tests="3" failures="1" errors="1"/,
    );
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
    expect(xml).toMatch(/name="right" time="[\d.]+"\/>/);
    expect(xml).toMatch(
      /name="wrong" time="[\d.]+">\n +<failure message="\/files\/0\/path: expected /,
    );
    expect(xml).toMatch(/name="broken" time="[\d.]+">\n +<error message="[^"]*expected JSON/);
    expect(tagsBalance(xml)).toBe(true);
    expect(malachi(['check', directory, '--filter', 'right', '--junit', report]).status).toBe(0);
    expect(readFileSync(report, 'utf8')).toContain('<testsuites tests="1" failures="0" errors="0"');
    expect(existsSync(`${report}.malachi-tmp`)).toBe(false);
  });
});

/** Whether every element is closed where it should be, and no bare `<` or `&` stands in the text. */
function tagsBalance(xml: string): boolean {
  const open: string[] = [];
  const body = xml.replace(/^<\?xml [^?]*\?>/, '');
  const rest = body.replace(
    /<(\/?)([a-z]+)((?: [a-z]+="[^"<]*")*)(\/?)>/g,
    (_, close, name, _a, self) => {
      if (close === '/') {
        if (open.pop() !== name) open.push('unbalanced');
      } else if (self !== '/') open.push(String(name));
      return '';
    },
  );
  return open.length === 0 && !rest.includes('<') && !/&(?!(amp|lt|gt|quot);)/.test(xml);
}

test('a copy of a golden case is not in the way of its original', () => {
  const copy = tempCopy(torn);
  expect(malachi(['check', casesOf({ a: { args: ['inspect', copy], exit: 1 } })]).status).toBe(0);
});
