import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { segmentFilesOf } from '../../src/store/segment-files.js';
import { SegmentStore } from '../../src/store/segment-store.js';
import type { VerifyResult } from '../../src/store/verification.js';
import { goldenCases } from '../helpers/golden.js';
import { sha256, smallKernel } from '../helpers/store.js';
import { tempCopy } from '../helpers/temp.js';

const WANTED_DIFFERENCE = 'index-large-frame';

describe.each(goldenCases)('$name', ({ name, directory, logPath, expected }) => {
  const copy = () => segmentFilesOf(join(tempCopy(directory), basename(logPath)));
  const options = { indexInterval: expected.index_interval, kernel: smallKernel };

  test.each([expected.recover, expected.recover_preallocated])(
    'recovery with preallocation $prealloc_bytes leaves the very bytes that the node leaves',
    (answer) => {
      const files = copy();
      const preallocBytes = answer.prealloc_bytes;
      const { store, report } = SegmentStore.recover(files, { ...options, preallocBytes });
      const left = readFileSync(files.logPath);
      expect({ bytes: left.length, sha256: sha256(files.logPath) }).toEqual({
        bytes: answer.after_bytes,
        sha256: answer.after_sha256,
      });
      expect(report).toMatchObject({
        fileBytes: answer.file_bytes,
        validBytes: answer.valid_bytes,
        halt: answer.halt,
        classification: answer.classification,
        action: answer.action,
        sealed: answer.sealed,
      });
      expect(store.nextOffset).toBe(answer.next_offset);
      store.close();
    },
  );

  test('verification answers as the node does', () => {
    const result = SegmentStore.verify(copy(), options);
    if (name === WANTED_DIFFERENCE) {
      expect(expected.verify.reason).toBe('bad_index');
      expect(result.kind).toBe('ok');
    } else {
      expect(asReported(result)).toEqual(expected.verify);
    }
  });

  test('the rebuilt sidecar is the node’s, byte for byte', () => {
    const files = copy();
    SegmentStore.rebuildIndex(files, options);
    expect(readFileSync(files.sidecarPath).toString('hex')).toBe(expected.rebuilt_index_hex);
  });

  function asReported(result: VerifyResult): object {
    switch (result.kind) {
      case 'ok':
        return { ok: true, records: result.records, bytes: result.bytes };
      case 'damaged':
        return {
          ok: false,
          reason: result.verdict.reason,
          position: result.verdict.position,
          unreadable_bytes: result.verdict.unreadableBytes,
          file: basename(logPath),
          detail: null,
        };
      case 'bad_index':
        return {
          ok: false,
          reason: 'bad_index',
          position: Number(result.verdict.position),
          unreadable_bytes: 0,
          file: basename(logPath).replace(/log$/, 'idx'),
          detail: result.verdict.detail,
        };
    }
  }
});
