import type { Disk } from '../../disk/disk.js';
import { isMissing, replaceFile } from '../../disk/durable.js';
import { withFile } from '../../disk/file-source.js';
import { RefusedError } from '../../errors.js';

const XML_START = '<?xml';

/**
 * Writes a JUnit report. One of an earlier run is replaced, as CI wants it; any other file is not.
 *
 * @throws RefusedError `EEXIST` if the name is taken by something that is no XML; StorageError.
 */
export function writeJunit(disk: Disk, path: string, xml: string): void {
  if (!isReplaceable(disk, path)) {
    throw new RefusedError('EEXIST', `${path} is there and is no XML report: give another name`);
  }
  replaceFile(disk, path, Buffer.from(xml, 'utf8'));
}

function isReplaceable(disk: Disk, path: string): boolean {
  try {
    if (disk.lstat(path).kind !== 'file') return false;
  } catch (error) {
    if (isMissing(error)) return true;
    throw error;
  }
  return withFile(disk, path, (source) => {
    const front = Buffer.alloc(Math.min(source.size, XML_START.length));
    source.readInto(front, 0);
    return front.toString('latin1') === XML_START;
  });
}
