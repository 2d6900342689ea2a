import {
  appendFileSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/disk/disk.js';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { StorageError } from '../../src/errors.js';
import { inspect } from '../../src/operations/inspect.js';
import { damagedFile } from '../helpers/arbitraries.js';
import { goldenRoot } from '../helpers/golden.js';
import { tempCopy, tempDirectory } from '../helpers/temp.js';

const LOG = '00000000000000000000.log';
const look = (disk: Disk, ...paths: string[]) => inspect(disk, paths, { preallocBytes: 0 });

/** A disk on which `happens` happens once, in front of the read with this number. */
function beforeRead(nth: number, happens: () => void): Disk {
  let reads = 0;
  return {
    ...nodeDisk,
    read: (fd, target, position) => {
      if (++reads === nth) happens();
      return nodeDisk.read(fd, target, position);
    },
  };
}

describe('a file that changes while it is read', () => {
  test('growing clean: the answer is for the size seen at opening', async () => {
    const path = join(tempCopy(join(goldenRoot, 'five-records')), LOG);
    const disk = beforeRead(1, () => appendFileSync(path, 'more'));
    const { files, errors } = await look(disk, path);
    expect(errors).toEqual([]);
    expect(files).toMatchObject([{ fileBytes: 205, classification: 'clean', records: 5 }]);
  });

  test('growing torn: an error says so, and nothing is called damaged', async () => {
    const path = join(tempCopy(join(goldenRoot, 'torn-payload')), LOG);
    const disk = beforeRead(1, () => appendFileSync(path, 'more'));
    const { files, errors } = await look(disk, path);
    expect(files).toEqual([]);
    expect(errors).toMatchObject([{ path, code: 'ECHANGED', exitCode: 3 }]);
  });

  test('shrinking: an error says so', async () => {
    const path = join(tempCopy(join(goldenRoot, 'five-records')), LOG);
    const disk = beforeRead(1, () => truncateSync(path, 50));
    const { files, errors } = await look(disk, path);
    expect(files).toEqual([]);
    expect(errors).toMatchObject([{ path, code: 'ECHANGED' }]);
  });

  test('written in place: an error says so', async () => {
    const path = join(tempCopy(join(goldenRoot, 'rot-middle-frame')), LOG);
    const disk = beforeRead(2, () => {
      writeFileSync(path, readFileSync(path));
      utimesSync(path, 1, 1);
    });
    expect((await look(disk, path)).errors).toMatchObject([{ code: 'ECHANGED' }]);
  });
});

describe('an error of the system', () => {
  test.each([1, 2, 3, 4])(
    'EIO at read %i is an error that names the file, never damage',
    async (nth) => {
      const copy = tempCopy(join(goldenRoot, 'rot-sealed'));
      const disk = beforeRead(nth, () => {
        throw new StorageError('EIO', 'file descriptor 7', 'EIO: i/o error, read');
      });
      const { files, errors } = await look(disk, copy);
      expect(files).toEqual([]);
      expect(errors).toMatchObject([{ path: join(copy, LOG), code: 'EIO', exitCode: 3 }]);
      expect(errors[0]?.message).toContain(LOG);
    },
  );

  test('a sidecar that cannot be read leaves the frames answered', async () => {
    const copy = tempCopy(join(goldenRoot, 'sealed-with-index'));
    const disk: Disk = {
      ...nodeDisk,
      open: (path, mode) => {
        if (path.endsWith('.idx')) throw new StorageError('EACCES', path, `EACCES: ${path}`);
        return nodeDisk.open(path, mode);
      },
    };
    const { files, errors } = await look(disk, copy);
    expect(files).toMatchObject([{ records: 40, index: { status: 'unchecked', entries: null } }]);
    expect(errors).toMatchObject([{ code: 'EACCES' }]);
  });

  test('short reads are completed', async () => {
    const short: Disk = {
      ...nodeDisk,
      read: (fd, target, position) => nodeDisk.read(fd, target.subarray(0, 3), position),
    };
    const whole = await look(nodeDisk, goldenRoot);
    expect(await look(short, goldenRoot)).toEqual(whole);
  });
});

test('random damage never throws, never opens for writing, never changes the file', async () => {
  const path = join(tempDirectory(), LOG);
  const readOnly: Disk = {
    ...nodeDisk,
    open: (opened, mode) => {
      expect(mode).toBe('read');
      return nodeDisk.open(opened, mode);
    },
  };
  await fc.assert(
    fc.asyncProperty(damagedFile, async (bytes) => {
      writeFileSync(path, bytes);
      const before = statSync(path, { bigint: true });
      const { files, errors } = await inspect(readOnly, [path], {
        preallocBytes: 0,
        map: true,
        hex: true,
      });
      expect(errors).toEqual([]);
      const [file] = files;
      expect(file?.validBytes).toBeLessThanOrEqual(bytes.length);
      const map = file?.map;
      expect(map && map.goodBytes + map.damagedBytes + map.recoverableBytes + map.blankBytes).toBe(
        bytes.length,
      );
      expect(statSync(path, { bigint: true }).mtimeNs).toBe(before.mtimeNs);
      expect(readFileSync(path).equals(bytes)).toBe(true);
    }),
  );
});

test('inspections that run at the same time do not disturb each other', async () => {
  const alone = await look(nodeDisk, goldenRoot);
  const together = await Promise.all([look(nodeDisk, goldenRoot), look(nodeDisk, goldenRoot)]);
  expect(together).toEqual([alone, alone]);
});
