import type { Disk } from '../../src/disk/disk.js';

/** A disk on which no process is seen, for tests that look for open files thousands of times. */
export function withoutProcesses(disk: Disk): Disk {
  return new Proxy(disk, {
    get: (target, key: keyof Disk) => {
      if (key === 'readDirectory') {
        return (path: string) => (path === '/proc' ? [] : target.readDirectory(path));
      }
      return Reflect.get(target, key).bind(target) as unknown;
    },
  });
}
