import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { goldenCases } from '../helpers/golden.js';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.doUnmock('node:zlib');
});

/** Loads the modules anew, as a process does that starts on a lesser platform. */
async function scans() {
  vi.resetModules();
  const { memorySource } = await import('../../src/format/byte-source.js');
  const { hasNativeCrc32, crc32 } = await import('../../src/format/crc32.js');
  const { createKernel } = await import('../../src/format/frame-kernel.js');
  const { createWasmKernel } = await import('../../src/format/wasm-kernel.js');
  const { runToEnd, walkSteps } = await import('../../src/format/walk.js');
  const kernel = createKernel();
  const results = goldenCases.map(({ logPath, baseOffset }) => {
    const source = memorySource(readFileSync(logPath));
    const { halt, validBytes, state } = runToEnd(
      walkSteps(source, kernel, { baseOffset, parse: true }),
    );
    return { halt, validBytes, records: state.records };
  });
  return {
    results,
    hasNativeCrc32,
    hasWasm: createWasmKernel(64) !== null,
    digits: crc32(Buffer.from('6789'), crc32(Buffer.from('12345'))),
  };
}

const expected = goldenCases.map(({ expected: { recover } }) => ({
  halt: recover.halt,
  validBytes: recover.valid_bytes,
  records: recover.records,
}));

test.each([
  { wasm: true, zlib: true },
  { wasm: false, zlib: true },
  { wasm: true, zlib: false },
  { wasm: false, zlib: false },
])('answers with %o are the node’s', async ({ wasm, zlib }) => {
  if (!wasm) vi.stubGlobal('WebAssembly', undefined);
  if (!zlib) vi.doMock('node:zlib', () => ({ crc32: undefined }));
  expect(await scans()).toEqual({
    results: expected,
    hasNativeCrc32: zlib,
    hasWasm: wasm,
    digits: 0xcbf43926,
  });
});
