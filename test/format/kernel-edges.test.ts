import { describe, expect, test } from 'vitest';
import { memorySource } from '../../src/format/byte-source.js';
import { crc32 } from '../../src/format/crc32.js';
import { encodeFrame } from '../../src/format/frame.js';
import { createPlainKernel } from '../../src/format/frame-kernel.js';
import { runToEnd, walkSteps } from '../../src/format/walk.js';
import { createWasmKernel } from '../../src/format/wasm-kernel.js';

const KEY_LENGTH_AT = 27;
const VALUE_LENGTH_AT = 31;
const HEADER_COUNT_AT = 35;

const kernels = [createWasmKernel(4096), createPlainKernel(4096), createWasmKernel(1)];

function frame(value: string): Buffer {
  const record = { offset: 0n, timestamp: 0n, key: null, value: Buffer.from(value), headers: [] };
  return Buffer.from(encodeFrame(record));
}

/** A frame of 41 bytes with an inner length changed and the checksum made good again. */
function changed(at: number, field: number): Buffer {
  const bytes = Buffer.concat([frame(''), Buffer.from([0, 0])]);
  bytes.writeUInt32BE(31, 2);
  bytes.writeUInt32BE(field, at);
  bytes.writeUInt32BE(crc32(bytes.subarray(10)), 6);
  return bytes;
}

describe.each(kernels.map((kernel, n) => ({ kernel, n })))('kernel $n', ({ kernel }) => {
  const walk = (file: Buffer, parse = true) => {
    if (!kernel) throw new Error('WebAssembly does not start here');
    return runToEnd(walkSteps(memorySource(file), kernel, { baseOffset: 0n, parse }));
  };

  test('takes inner lengths up to the payload’s end, and bytes that are left over', () => {
    for (const file of [changed(KEY_LENGTH_AT, 0), changed(VALUE_LENGTH_AT, 2)]) {
      expect(walk(file)).toMatchObject({ halt: 'eof', validBytes: 41, state: { records: 1 } });
    }
  });

  test.each([
    ['key', KEY_LENGTH_AT, [3, 5, 2 ** 31, 2 ** 32 - 4, 2 ** 32 - 1]],
    ['value', VALUE_LENGTH_AT, [3, 7, 2 ** 31, 2 ** 32 - 4, 2 ** 32 - 1]],
    ['header list', HEADER_COUNT_AT, [1, 2 ** 31, 2 ** 31 + 1, 2 ** 32 - 1]],
  ])('refuses a %s that runs past the payload, but only where it parses', (_, at, fields) => {
    for (const field of fields) {
      expect([field, walk(changed(at, field))]).toMatchObject([field, { halt: 'bad_payload' }]);
      expect(walk(changed(at, field), false)).toMatchObject({ halt: 'eof', validBytes: 41 });
    }
  });

  test('takes no payload below 29 bytes for a frame, whatever its checksum', () => {
    const file = frame('').subarray(0, 38);
    file.writeUInt32BE(28, 2);
    file.writeUInt32BE(crc32(file.subarray(10)), 6);
    expect(walk(file)).toMatchObject({ halt: 'bad_magic', validBytes: 0 });
  });
});

describe.each(kernels.slice(0, 2).map((kernel, n) => ({ kernel, n })))(
  'the search of kernel $n',
  ({ kernel }) => {
    const search = (bytes: Buffer, end = bytes.length, room = end) => {
      if (!kernel) throw new Error('WebAssembly does not start here');
      kernel.window.set(bytes);
      return kernel.findCandidate(0, end, room);
    };

    test('finds a key that takes the whole payload, and passes one that is a byte longer', () => {
      const file = Buffer.concat([Buffer.from('?'), frame('xy')]);
      file.writeUInt32BE(2, 1 + KEY_LENGTH_AT);
      expect(search(file)).toBe(1);
      file.writeUInt32BE(3, 1 + KEY_LENGTH_AT);
      expect(search(file)).toBe(file.length - 9);
    });

    test('finds a payload that ends with the file, and passes one that is a byte longer', () => {
      const file = Buffer.concat([Buffer.from('?'), frame('xy')]);
      expect(search(file, 20, file.length)).toBe(1);
      expect(search(file, 20, file.length - 1)).toBe(11);
    });
  },
);
