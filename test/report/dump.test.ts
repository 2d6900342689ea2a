import { Chalk } from 'chalk';
import { expect, test } from 'vitest';
import { memorySource } from '../../src/format/byte-source.js';
import { encodeFrame } from '../../src/format/frame.js';
import { readStoredRecord } from '../../src/format/stored-record.js';
import { DumpRenderer } from '../../src/report/dump.js';

function shown(records: readonly (readonly [key: string, value: string])[]): string[] {
  const style = { chalk: new Chalk({ level: 0 }), columns: 80 };
  const renderer = new DumpRenderer('table', 'auto', style);
  return records.flatMap(([key, value], at) => {
    const bytes = encodeFrame({
      ...{ offset: BigInt(128 + at), timestamp: 1_700_000_000_000n, headers: [] },
      ...{ key: Buffer.from(key), value: Buffer.from(value) },
    });
    const source = memorySource(bytes);
    const record = readStoredRecord(source, 0, bytes.length);
    if (!record) throw new Error('no record');
    return [...renderer.record({ source, record })].map((line) => line.trimEnd());
  });
}

test('a short key leaves its columns to the value', () => {
  expect(shown([['order-128', '{"order":128,"state":"paid"}']])).toEqual([
    '    OFFSET  TIMESTAMP                 KEY        VALUE',
    '       128  2023-11-14T22:13:20.000Z  order-128  {"order":128,"state":"paid"}',
  ]);
});

test('a longer key shifts its value, and no line is wider than the terminal', () => {
  const value = 'v'.repeat(100);
  const lines = shown([
    ['k', value],
    ['a-key-of-14-ch', value],
    ['a key that is longer than its column', value],
  ]);
  expect(lines.slice(1).map((line) => line.length)).toEqual([80, 80, 80]);
  expect(lines[2]).toContain('  a-key-of-14-ch  vvv');
  expect(lines[3]).toContain('… (36 bytes)  ');
});
