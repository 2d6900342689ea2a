import { chmodSync, cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { encodeFrame } from '../../src/format/frame.js';
import { bareEnvironment, bin, malachi } from '../helpers/cli.js';
import { tempDirectory } from '../helpers/temp.js';
import { golden, inspectJson, LOG } from '../helpers/inspecting.js';

test('a lone file of another name starts at the offset that its first record carries', () => {
  const root = tempDirectory();
  for (const [name, from] of [
    ['copy of n1.log', 'base-offset-past-2-53/00009007199254740993.log'],
    ['blank.log', `zero-only/${LOG}`],
  ] as const) {
    cpSync(golden(from), join(root, name));
  }
  const { status, stdout } = malachi([
    'inspect',
    '--json',
    ...readdirSync(root).map((name) => join(root, name)),
  ]);
  expect(status).toBe(0);
  expect(stdout.match(/"base_offset": \d+/g)).toEqual([
    '"base_offset": 0',
    '"base_offset": 9007199254740993',
  ]);
  const name = 'with\nnewline.log';
  cpSync(golden(`five-records/${LOG}`), join(root, name));
  expect(malachi(['inspect', join(root, name)])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('with\\nnewline.log') as string,
  });
});

describe('odd files', () => {
  test('each is named, and the rest is answered', () => {
    const root = tempDirectory();
    const copy = join(root, 'odd-r0-s0');
    mkdirSync(join(copy, '00000000000000000003.log'), { recursive: true });
    writeFileSync(join(copy, LOG), '');
    spawnSync('mkfifo', [join(copy, '00000000000000000001.log')]);
    symlinkSync('nowhere', join(copy, '00000000000000000002.log'));
    writeFileSync(join(copy, '00000000000000000004\n\u001b[31m.log'), '');
    writeFileSync(join(copy, 'notes.log'), '');
    writeFileSync(join(copy, '99999999999999999999.log'), '');
    const { status, answer } = inspectJson(root);
    expect(status).toBe(3);
    expect(answer.files.map(({ path }) => path)).toEqual([join(copy, LOG)]);
    expect(Object.fromEntries(answer.errors.map((error) => [error.path, error.code]))).toEqual({
      [join(copy, '00000000000000000001.log')]: 'ENOTREG',
      [join(copy, '00000000000000000002.log')]: 'ENOENT',
      [join(copy, '00000000000000000003.log')]: 'EISDIR',
      [join(copy, '00000000000000000004\n\u001b[31m.log')]: 'EBADNAME',
      [join(copy, 'notes.log')]: 'EBADNAME',
      [join(copy, '99999999999999999999.log')]: 'EBADNAME',
    });
    const shown = malachi(['inspect', root]);
    expect(shown.stderr + shown.stdout).not.toContain('\u001b');
    expect(shown.stderr).toContain('00000000000000000004\\n\\u001b[31m.log');
  });

  test('a file without permission is EACCES for whom permissions hold', () => {
    const root = tempDirectory();
    writeFileSync(join(root, LOG), '');
    chmodSync(root, 0o755);
    chmodSync(join(root, LOG), 0o000);
    const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    const { status, stderr } = spawnSync(process.execPath, [bin, 'inspect', join(root, LOG)], {
      encoding: 'utf8',
      env: bareEnvironment,
      ...user,
    });
    expect(status).toBe(3);
    expect(stderr).toContain('EACCES');
  });

  test('a record key with terminal escapes reaches no terminal', () => {
    const root = tempDirectory();
    const frame = encodeFrame({
      offset: 0n,
      timestamp: 0n,
      key: Buffer.from('\u001b]0;owned\u0007'),
      value: Buffer.from('\u001b[2J'),
      headers: [],
    });
    frame[frame.length - 5] = 1;
    writeFileSync(join(root, LOG), Buffer.concat([frame, frame]));
    const { stdout, stderr } = malachi(['inspect', root, '--hex', '--map']);
    expect(stdout).toContain('|');
    expect(stdout + stderr).not.toMatch(/[\u001b\u0007]/);
  });
});
