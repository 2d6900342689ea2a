import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { listForChange } from '../../src/operations/copy-directory.js';
import { quarantineCopy } from '../../src/operations/quarantine-entry.js';
import { readManifest } from '../../src/operations/quarantine-manifest.js';
import { entryName } from '../../src/operations/quarantine-name.js';
import { makeQuarantine, resolveQuarantine } from '../../src/operations/quarantine-place.js';
import { makeCopy, quickDirectory } from '../helpers/copies.js';
import { readTree } from '../helpers/tree.js';

const now = new Date('2026-01-02T03:04:05.678Z');

describe('the place of the quarantine', () => {
  test('is resolved without making anything, then made with its parents', () => {
    const root = quickDirectory();
    symlinkSync(root, join(root, 'link'));
    const place = resolveQuarantine(nodeDisk, join(root, 'link/a/b'), []);
    expect(place).toBe(join(root, 'a/b'));
    expect(readdirSync(root)).toEqual(['link']);
    makeQuarantine(nodeDisk, place);
    makeQuarantine(nodeDisk, place);
    expect(readdirSync(join(root, 'a'))).toEqual(['b']);
  });

  test('is never in a log root: one that is worked on, or any that its marker shows', () => {
    const root = quickDirectory();
    const refused = expect.objectContaining({ code: 'EINSIDE', exitCode: 4 }) as Error;
    mkdirSync(join(root, 'n1/shard_0'), { recursive: true });
    const inside = join(root, 'n1/shard_0/q');
    expect(resolveQuarantine(nodeDisk, inside, [])).toBe(inside);
    expect(() => resolveQuarantine(nodeDisk, inside, [join(root, 'n1')])).toThrow(refused);
    writeFileSync(join(root, 'n1/malachi.format'), 'format=1\n');
    expect(() => resolveQuarantine(nodeDisk, inside, [])).toThrow(refused);
    expect(resolveQuarantine(nodeDisk, join(root, 'n1/../q'), [join(root, 'n1')])).toBe(
      join(root, 'q'),
    );
  });

  test('is no file', () => {
    const root = quickDirectory();
    writeFileSync(join(root, 'file'), '');
    symlinkSync(join(root, 'nothing'), join(root, 'dangling'));
    for (const name of ['file', 'file/below', 'dangling', 'dangling/below']) {
      expect(() => resolveQuarantine(nodeDisk, join(root, name), [])).toThrow(
        expect.objectContaining({ code: 'ENOTDIR', exitCode: 2 }),
      );
    }
  });
});

describe('an entry', () => {
  const one = { node: 'malachi@n1', segment: 'events-r0-s1', fromByte: 123, toByte: 164, now };

  test('is named by node, segment, byte range and time', () => {
    expect(entryName(one)).toBe('malachi@n1.events-r0-s1.123-164.20260102T030405.678Z');
    expect(entryName({ ...one, node: null })).toBe('events-r0-s1.123-164.20260102T030405.678Z');
  });

  test('has a name that every file system takes, and that tells long or odd ones apart', () => {
    const names = ['../../etc', 'a\u001b[2J', 'a b', 'x'.repeat(255), `${'x'.repeat(254)}y`, '.'];
    const made = names.map((node) => entryName({ ...one, node, segment: 's'.repeat(250) }));
    expect(new Set(made).size).toBe(names.length);
    for (const name of made) {
      expect(name).toMatch(/^[A-Za-z0-9@_][A-Za-z0-9@_.~-]*$/);
      expect(name.length).toBeLessThan(255);
    }
  });

  test('is never written over, also in the same moment', () => {
    const copy = makeCopy(quickDirectory(), { end: 1, files: [{ base: 0, records: 2 }] });
    const present = listForChange(nodeDisk, copy.logRoot, copy.directory);
    const name = '00000000000000000000.log';
    const changes = [{ kind: 'cut', name, keepBytes: 10, sizeBytes: 10 }] as const;
    const endangered = { ...copy, operation: 'settle', node: copy.replica, present, changes };
    const quarantine = join(copy.root, 'quarantine');
    const first = quarantineCopy(nodeDisk, quarantine, endangered, now);
    const kept = readTree(first);
    const second = quarantineCopy(nodeDisk, quarantine, endangered, now);
    expect(second).toBe(`${first}-2`);
    expect(readTree(first)).toEqual(kept);
    expect(readTree(second)).toEqual(kept);
    expect(readManifest(nodeDisk, first)).toMatchObject({
      operation: 'settle',
      createdAt: '2026-01-02T03:04:05.678Z',
      segment: 'events-r0-s1',
      directory: copy.directory,
      fromByte: 10,
    });
  });
});
