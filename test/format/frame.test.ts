import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FRAME_HEADER_BYTES, decodePayload, encodeFrame } from '../../src/format/frame.js';
import { PayloadParser, payloadParses } from '../../src/format/payload-parser.js';
import { anyRecord } from '../helpers/arbitraries.js';

const plain = { offset: 0n, timestamp: 0n, key: null, value: new Uint8Array(0), headers: [] };

describe('frames', () => {
  test('what is decoded is what was encoded', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const decoded = decodePayload(encodeFrame(record).subarray(FRAME_HEADER_BYTES));
        expect(decoded && normal(decoded)).toEqual(normal(record));
      }),
    );
  });

  test('the smallest frame has 39 bytes', () => {
    expect(encodeFrame(plain)).toHaveLength(39);
  });

  test.each([{ offset: -1n }, { offset: 1n << 64n }, { timestamp: 1n << 64n }])(
    'refuses what 64 bits cannot hold: %o',
    (field) => {
      expect(() => encodeFrame({ ...plain, ...field })).toThrow(RangeError);
    },
  );

  test('a payload cut anywhere before its end is a bad payload', () => {
    fc.assert(
      fc.property(anyRecord, fc.nat(), (record, cut) => {
        const payload = encodeFrame(record).subarray(FRAME_HEADER_BYTES);
        const short = payload.subarray(0, cut % payload.length);
        expect(decodePayload(short)).toBeNull();
      }),
    );
  });
});

describe('following the inner lengths', () => {
  test('says the same in pieces of any size as decoding does', () => {
    const damaged = fc
      .tuple(anyRecord, fc.nat(), fc.nat(255), fc.nat(3))
      .map(([record, at, value, extra]) => {
        const payload = Buffer.from(encodeFrame(record).subarray(FRAME_HEADER_BYTES));
        payload.writeUInt8(value, 17 + (at % (payload.length - 17)));
        return Buffer.concat([payload, Buffer.alloc(extra)]);
      });
    fc.assert(
      fc.property(damaged, fc.integer({ min: 1, max: 50 }), (payload, size) => {
        const parser = new PayloadParser(payload.length);
        for (let at = 0; at < payload.length; at += size)
          parser.push(payload.subarray(at, at + size));
        expect(parser.parses).toBe(decodePayload(payload) !== null);
        expect(payloadParses(payload)).toBe(parser.parses);
      }),
    );
  });
});

function normal(record: typeof plain | Parameters<typeof encodeFrame>[0]) {
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  return {
    ...record,
    key: record.key && hex(record.key),
    value: hex(record.value),
    headers: record.headers.map(({ key, value }) => [hex(key), hex(value)]),
  };
}
