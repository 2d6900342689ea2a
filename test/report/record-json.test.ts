import fc from 'fast-check';
import { parse } from 'lossless-json';
import { expect, test } from 'vitest';
import { memorySource } from '../../src/format/byte-source.js';
import { encodeFrame } from '../../src/format/frame.js';
import type { SegmentRecord } from '../../src/format/frame.js';
import { readStoredRecord } from '../../src/format/stored-record.js';
import type { ValueForm } from '../../src/report/record-json.js';
import { VALUE_FORMS, recordJson } from '../../src/report/record-json.js';
import { anyRecord } from '../helpers/arbitraries.js';
import { recordAt } from '../helpers/log-files.js';

interface FieldJson {
  encoding: 'utf8' | 'hex' | 'base64' | 'none';
  bytes: bigint;
  data?: string;
  lossy?: boolean;
}
interface RecordJson {
  offset: bigint;
  timestamp: bigint;
  time: string | null;
  key: FieldJson | null;
  value: FieldJson;
  headers: { key: FieldJson; value: FieldJson }[];
}

function render(record: SegmentRecord, form: ValueForm = 'auto'): string {
  const frame = encodeFrame(record);
  const source = memorySource(frame);
  const stored = readStoredRecord(source, 0, frame.length);
  if (!stored) throw new Error('the record does not parse');
  return [...recordJson(source, stored, form)].join('');
}

const read = (json: string): RecordJson => parse(json, null, BigInt) as RecordJson;

/** As a consumer decodes a field: by the encoding that it names. */
function decode({ encoding, data, bytes }: FieldJson): Uint8Array {
  if (encoding === 'none' || data === undefined) throw new Error('there is no data');
  const decoded = Buffer.from(data, encoding);
  expect(decoded.length).toBe(Number(bytes));
  return new Uint8Array(decoded);
}

test('a record can be had back to the byte from its line', () => {
  fc.assert(
    fc.property(anyRecord, fc.constantFrom('auto', 'hex', 'base64'), (record, form) => {
      const json = render(record, form);
      expect(json).not.toContain('\n');
      const { offset, timestamp, key, value, headers } = read(json);
      const back = {
        offset,
        timestamp,
        key: key && decode(key),
        value: decode(value),
        headers: headers.map((header) => {
          return { key: decode(header.key), value: decode(header.value) };
        }),
      };
      expect(encodeFrame(back)).toEqual(encodeFrame(record));
    }),
  );
});

test('nothing that acts on a terminal is in a line', () => {
  const text = '\u001b[31mred\u001b]0;title\u0007 \u202e \u009b \ufeff\u2028';
  const json = render({ ...recordAt(1, text), key: Buffer.from(text) });
  expect(json).toMatch(/^[\u0020-\u007e]*$/);
  expect(read(json).value).toMatchObject({ encoding: 'utf8', data: text });
});

test('a value larger than a piece, with characters across the pieces', () => {
  const text = 'aé€😀'.repeat(40_000);
  const { value } = read(render(recordAt(1, text)));
  expect(value).toEqual({ encoding: 'utf8', bytes: BigInt(Buffer.byteLength(text)), data: text });
  const broken = Buffer.concat([Buffer.from(text), Buffer.from([0xff])]);
  for (const form of ['auto', 'hex', 'base64'] as const) {
    const field = read(render(recordAt(1, broken), form)).value;
    expect(Buffer.from(decode(field)).equals(broken)).toBe(true);
  }
});

test.each<[ValueForm, string | Uint8Array, object]>([
  ['auto', 'text', { encoding: 'utf8', bytes: 4n, data: 'text' }],
  ['auto', '', { encoding: 'utf8', bytes: 0n, data: '' }],
  ['auto', new Uint8Array([0xc3]), { encoding: 'base64', bytes: 1n, data: 'ww==' }],
  ['auto', '\ufeffmark', { encoding: 'utf8', bytes: 7n, data: '\ufeffmark' }],
  [
    'utf8',
    new Uint8Array([0x61, 0xff]),
    { encoding: 'utf8', bytes: 2n, lossy: true, data: 'a\ufffd' },
  ],
  ['hex', 'text', { encoding: 'hex', bytes: 4n, data: '74657874' }],
  ['base64', 'text', { encoding: 'base64', bytes: 4n, data: 'dGV4dA==' }],
  ['none', 'text', { encoding: 'none', bytes: 4n }],
])('the form %s names how a value is encoded', (form, value, expected) => {
  expect(read(render(recordAt(1, value), form)).value).toEqual(expected);
});

test('every form leaves keys and headers as they can be had back', () => {
  const field = Buffer.from([0, 255]);
  for (const form of VALUE_FORMS) {
    const record = { ...recordAt(1), key: field, headers: [{ key: field, value: field }] };
    const { key, headers } = read(render(record, form));
    expect(key && decode(key)).toEqual(new Uint8Array(field));
    expect(headers).toEqual([{ key, value: key }]);
  }
});

test.each([
  [0n, '1970-01-01T00:00:00.000Z'],
  [1_700_000_000_001n, '2023-11-14T22:13:20.001Z'],
  [253_402_300_799_999n, '9999-12-31T23:59:59.999Z'],
  [253_402_300_800_000n, null],
  [0xffff_ffff_ffff_ffffn, null],
])('the timestamp %s as RFC 3339', (timestamp, time) => {
  const json = render({ ...recordAt(0xffff_ffff_ffff_ffffn), timestamp });
  expect(read(json)).toMatchObject({ offset: 0xffff_ffff_ffff_ffffn, timestamp, time });
});
