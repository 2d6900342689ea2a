import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Disk } from '../../src/disk/disk.js';
import { nodeDisk } from '../../src/disk/node-disk.js';
import { createPlainKernel } from '../../src/format/frame-kernel.js';
import { memorySource } from '../../src/format/byte-source.js';
import { parseLogName } from '../../src/format/names.js';
import { verifySidecar } from '../../src/format/sidecar.js';
import { runToEnd, walkSteps } from '../../src/format/walk.js';
import { readManifest } from '../../src/operations/quarantine-manifest.js';
import { restoreEntry } from '../../src/operations/restore.js';
import { sealAtSteps } from '../../src/operations/seal-at.js';
import type { SealResult } from '../../src/operations/seal-result.js';
import type { CopySpec, MadeCopy } from './copies.js';
import { frames, rotAt, tornAt } from './copies.js';
import { withoutProcesses } from './quiet-disk.js';

const zeros = Buffer.alloc(100);

/** Copies that each settle in another way, and the records that every one of them keeps. */
export const SCENARIOS: Record<string, { spec: CopySpec; outcome: string; kept: number }> = {
  'trimmed over three files': {
    spec: {
      end: 4,
      files: [
        { base: 0, records: 3, sealed: true, sidecar: Buffer.from('no index at all!') },
        { base: 3, records: 3, sealed: true, sidecar: Buffer.alloc(16) },
        { base: 6, records: 2, sealed: true, sidecar: Buffer.alloc(16) },
        { base: 8, records: 1, tail: Buffer.concat([tornAt(9), zeros]) },
      ],
    },
    outcome: 'trimmed',
    kept: 4,
  },
  'fenced, with a blank and a torn tail': {
    spec: {
      end: 5,
      files: [
        { base: 0, records: 3, tail: zeros },
        { base: 3, records: 2, tail: Buffer.concat([tornAt(5), zeros]) },
      ],
      others: { SETTLED: 'end_offset=4\nrecords=4\nbyte_size=1\n' },
    },
    outcome: 'fenced',
    kept: 5,
  },
  confirmed: {
    spec: { end: 2, files: [{ base: 0, records: 2, tail: rotAt(2) }] },
    outcome: 'confirmed',
    kept: 2,
  },
  short: {
    spec: { end: 6, files: [{ base: 0, records: 2, tail: Buffer.concat([tornAt(2), zeros]) }] },
    outcome: 'short',
    kept: 2,
  },
  'sealed at length 0': {
    spec: { end: 7, files: [{ base: 7, records: 2, sealed: true, tail: rotAt(9) }], byteSize: 0 },
    outcome: 'trimmed',
    kept: 0,
  },
};

export function settle(disk: Disk, copy: MadeCopy): SealResult {
  const options = { apply: true, dropRot: false, assumeUnused: false };
  const quarantine = join(copy.root, 'quarantine');
  return runToEnd(sealAtSteps(withoutProcesses(disk), copy, { ...options, quarantine }));
}

/** Puts back every whole entry, the latest first. */
export function restoreAll(disk: Disk, { root }: MadeCopy): void {
  const quarantine = join(root, 'quarantine');
  const names = existsSync(quarantine) ? readdirSync(quarantine) : [];
  const whole = names.flatMap((name) => {
    const entry = join(quarantine, name);
    return existsSync(join(entry, 'manifest.json'))
      ? [{ entry, manifest: readManifest(nodeDisk, entry) }]
      : [];
  });
  whole.sort((a, b) => (a.manifest.createdAt < b.manifest.createdAt ? 1 : -1));
  for (const { entry, manifest } of whole) {
    restoreEntry(withoutProcesses(disk), entry, manifest, { apply: true, assumeUnused: false });
  }
}

/** Reads the copy as a log, and finds the records below the end whole and in place. */
export function expectReadable({ directory, seal }: MadeCopy, kept: number, where: string): void {
  const start = Number(seal.startOffset);
  let reached = seal.startOffset;
  const wanted = frames(start, start + kept);
  let read = Buffer.alloc(0);
  for (const name of readdirSync(directory).sort()) {
    const base = parseLogName(name);
    if (base === null) continue;
    const bytes = readFileSync(join(directory, name));
    const source = memorySource(bytes);
    const { validBytes, state } = runToEnd(
      walkSteps(source, createPlainKernel(65536), { baseOffset: base, parse: true }),
    );
    expect(base, `a gap: ${where}`).toBe(reached);
    read = Buffer.concat([read, bytes.subarray(0, validBytes)]);
    reached = state.nextOffset;
  }
  expect(read.subarray(0, wanted.length).equals(wanted), where).toBe(true);
  if (existsSync(join(directory, 'SEALED'))) {
    expect(reached <= seal.endOffset, `fenced above its end: ${where}`).toBe(true);
    expectGoodSidecars(directory, where);
  }
}

function expectGoodSidecars(directory: string, where: string): void {
  for (const name of readdirSync(directory)) {
    if (!name.endsWith('.idx')) continue;
    const log = readFileSync(join(directory, name.replace('.idx', '.log')));
    const sidecar = readFileSync(join(directory, name));
    expect(verifySidecar(sidecar, memorySource(log), log.length).status, where).toBe('ok');
  }
}
