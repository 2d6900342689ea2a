import { existsSync, openSync, closeSync, ftruncateSync, statSync, writeSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SegmentRecord } from '../../src/format/frame.js';
import { segmentFiles } from '../../src/store/segment-files.js';
import type { NewRecord } from '../../src/store/segment-store.js';
import { SegmentStore } from '../../src/store/segment-store.js';
import { FaultyDisk } from '../helpers/faulty-disk.js';
import { smallKernel } from '../helpers/store.js';
import { tempDirectory } from '../helpers/temp.js';

const bytes = fc.uint8Array({ maxLength: 40 });
const record: fc.Arbitrary<NewRecord> = fc.record({
  timestamp: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  key: fc.option(bytes),
  // A value that ends in zeros looks most like a torn one.
  value: fc.oneof(
    bytes,
    fc.nat(60).map((length) => new Uint8Array(length)),
  ),
  headers: fc.array(fc.record({ key: bytes, value: bytes }), { maxLength: 2 }),
});

type Step =
  | { readonly kind: 'append'; readonly record: NewRecord }
  | { readonly kind: 'sync' | 'reopen' | 'seal' }
  /** The process dies; of the bytes behind the last sync, this part in a thousand is there, the rest gone. */
  | { readonly kind: 'crash'; readonly unsynced: readonly NewRecord[]; readonly permille: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: record.map((value) => ({ kind: 'append', record: value }) as const) },
  { weight: 3, arbitrary: fc.constant({ kind: 'sync' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'reopen' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'seal' } as const) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('crash' as const),
      unsynced: fc.array(record, { minLength: 1, maxLength: 4 }),
      permille: fc.nat(1000),
    }),
  },
);

const plain = ({ offset, timestamp, key, value, headers }: SegmentRecord) => ({
  offset,
  timestamp,
  key: key && Buffer.from(key).toString('hex'),
  value: Buffer.from(value).toString('hex'),
  headers: headers.map((header) =>
    [header.key, header.value].map((b) => Buffer.from(b).toString('hex')),
  ),
});

test('what was appended, synced and recovered is what was appended, whatever was cut after the last sync', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 25 }),
      fc.constantFrom(0, 512),
      fc.constantFrom(1, 3, 20000),
      fc.constantFrom(0n, 2n ** 53n + 1n),
      (steps, preallocBytes, flushCount, baseOffset) => {
        const files = segmentFiles(tempDirectory(), baseOffset);
        const disk = new FaultyDisk();
        const options = { disk, preallocBytes, flushCount, indexInterval: 64, kernel: smallKernel };
        let store = SegmentStore.open(files, options);
        const appended: SegmentRecord[] = [];
        const append = (next: NewRecord) => {
          const outcome = store.append(next);
          if (outcome.kind === 'appended') appended.push({ ...next, offset: outcome.offset });
          else expect(existsSync(files.sealedPath)).toBe(true);
        };
        const recover = () => {
          ({ store } = SegmentStore.recover(files, options));
        };
        const expectAll = () => {
          const page = store.read(baseOffset, { maxBytes: 1e9 });
          expect(page.records.map(plain)).toEqual(appended.map(plain));
        };

        for (const now of steps) {
          switch (now.kind) {
            case 'append':
              append(now.record);
              break;
            case 'sync':
              store.sync();
              expectAll();
              break;
            case 'seal':
              store.seal();
              break;
            case 'reopen':
              store.close();
              recover();
              break;
            case 'crash': {
              store.sync();
              const from = store.frameBytes;
              const safe = appended.length;
              for (const next of now.unsynced) append(next);
              store.sync();
              const to = store.frameBytes;
              const cut = from + Math.floor(((to - from) * now.permille) / 1000);
              abandon(files.logPath, cut, preallocBytes > 0);
              recover();
              // One byte of a magic in a preallocated file is no magic: the system's rule calls it rot.
              const validBytes = store.frameBytes;
              expect(store.holdsDamage).toBe(preallocBytes > 0 && cut === validBytes + 1);
              const kept = Number(store.nextOffset - baseOffset);
              expect(kept).toBeGreaterThanOrEqual(safe);
              appended.length = Math.min(appended.length, kept);
              expectAll();
              if (store.holdsDamage) return store.close();
              break;
            }
          }
        }
        store.close();
        recover();
        expectAll();
        store.close();
        if (!existsSync(files.sealedPath))
          expect(statSync(files.logPath).size).toBe(store.frameBytes);
      },
    ),
    { numRuns: 150 },
  );
});

/** Cuts a file, or with preallocation blanks it, from a position on, as if the rest had never been written. */
function abandon(path: string, from: number, blanks: boolean): void {
  const fd = openSync(path, 'r+');
  const { size } = statSync(path);
  if (blanks) writeSync(fd, Buffer.alloc(size - from), 0, size - from, from);
  else ftruncateSync(fd, from);
  closeSync(fd);
}
