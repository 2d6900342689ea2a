// How much memory the largest files take: peak resident size over that of `node -e 0`.
import { spawnSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { MIB, withDirectory } from './files.mjs';

const WANTED_MIB = 150;
const scan = `
  import { withFile } from '${new URL('../dist/disk/file-source.js', import.meta.url).href}';
  import { nodeDisk } from '${new URL('../dist/disk/node-disk.js', import.meta.url).href}';
  import { createKernel } from '${new URL('../dist/format/frame-kernel.js', import.meta.url).href}';
  import { beyondSteps } from '${new URL('../dist/format/resync.js', import.meta.url).href}';
  import { SidecarBuilder } from '${new URL('../dist/format/sidecar.js', import.meta.url).href}';
  import { runToEnd, walkSteps } from '${new URL('../dist/format/walk.js', import.meta.url).href}';
  withFile(nodeDisk, process.argv[1], (source) => {
    const options = { baseOffset: 0n, parse: true, sidecar: new SidecarBuilder(4096) };
    const walk = runToEnd(walkSteps(source, createKernel(), options));
    const beyond = runToEnd(beyondSteps(source, walk.validBytes + 1));
    console.error(walk.halt + ', ' + walk.state.records + ' records, beyond ' + beyond.frames);
  });`;
const report = 'process.on("exit", () => console.log(process.resourceUsage().maxRSS / 1024));';

/** Writes bytes at positions of a file of the given size; the rest is a hole. */
function sparse(path, size, pieces) {
  const file = openSync(path, 'w');
  ftruncateSync(file, size);
  for (const [position, bytes] of pieces) writeSync(file, bytes, 0, bytes.length, position);
  closeSync(file);
}

/** A frame without key and headers up to its value, which is all zeros and lies in the hole behind. */
function head(payloadBytes, checksum) {
  const bytes = Buffer.alloc(39);
  bytes.write('4d51', 'hex');
  bytes.writeUInt32BE(payloadBytes, 2);
  bytes.writeUInt32BE(checksum, 6);
  bytes.writeUInt32BE(payloadBytes - 29, 31);
  return bytes;
}

function checksumOf(payloadBytes) {
  const zeros = Buffer.alloc(MIB);
  let checksum = crc32(head(payloadBytes, 0).subarray(10));
  for (let left = payloadBytes - 29; left > 0; left -= MIB) {
    checksum = crc32(zeros.subarray(0, Math.min(MIB, left)), checksum);
  }
  return checksum;
}

const GIB = 1024 * MIB;
const record = head(GIB - 10, checksumOf(GIB - 10));
const overlapping = Buffer.alloc(39 * 27_000, head(2 ** 32 - 2, 0).fill(0, 31));
const files = [
  ['a hole of 5 GiB', 5 * GIB, []],
  ['a hole of 5 GiB with one byte at its end', 5 * GIB, [[5 * GIB - 1, Buffer.from('x')]]],
  ['a length of 4 GiB in a file of 5 GiB', 5 * GIB, [[0, head(2 ** 32 - 2, 0)]]],
  ['a length of 4 GiB in a file of 64 MiB', 64 * MIB, [[0, head(2 ** 32 - 2, 0)]]],
  ['a record of 1 GiB', GIB, [[0, record]]],
  [
    'a record of 1 GiB behind a bad one',
    3 * GIB,
    [
      [0, head(100, 1)],
      [GIB, record],
    ],
  ],
  ['thousands of lengths of 4 GiB in 5 GiB', 5 * GIB, [[0, overlapping]]],
];

function peakMib(code, ...args) {
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', report + code, ...args]);
  if (child.status !== 0) throw new Error(child.stderr.toString());
  return { mib: Number(child.stdout), answer: child.stderr.toString().trim() };
}

const base = peakMib('').mib;
console.log(`node alone: ${base.toFixed(0)} MiB; wanted at most ${WANTED_MIB} MiB more`);
for (const [name, size, pieces] of files) {
  withDirectory((directory) => {
    const path = join(directory, 'measured.log');
    sparse(path, size, pieces);
    const { mib, answer } = peakMib(scan, path);
    console.log(`${name.padEnd(42)} +${(mib - base).toFixed(0).padStart(3)} MiB  ${answer}`);
  });
}
