// How near scanning and resynchronising come to the limit, one pass of zlib.crc32 over the same file.
// Ratios carry over to other machines; rates do not.
import { statSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { withFile } from '../dist/disk/file-source.js';
import { nodeDisk } from '../dist/disk/node-disk.js';
import { createKernel } from '../dist/format/frame-kernel.js';
import { beyondSteps } from '../dist/format/resync.js';
import { SidecarBuilder } from '../dist/format/sidecar.js';
import { runToEnd, walkSteps } from '../dist/format/walk.js';
import {
  MIB,
  RUNS,
  compare,
  limitPass,
  noise,
  withDirectory,
  writeFile,
  writeSegment,
} from './files.mjs';

const kernel = createKernel();

function walk(path) {
  const result = withFile(nodeDisk, path, (source) =>
    runToEnd(
      walkSteps(source, kernel, {
        baseOffset: 0n,
        parse: true,
        sidecar: new SidecarBuilder(4096),
      }),
    ),
  );
  if (result.halt !== 'eof' || result.validBytes !== statSync(path).size) {
    throw new Error(`${path} was not read to its end`);
  }
}

function resync(path) {
  withFile(nodeDisk, path, (source) => runToEnd(beyondSteps(source, 1)));
}

function repeated(...bytes) {
  const piece = Buffer.alloc(bytes.length * Math.floor(MIB / bytes.length), Buffer.from(bytes));
  return () => piece;
}

/** Overlapping candidates that all parse: no key, no value, no headers, and megabytes left over. */
function overlapping() {
  const candidate = Buffer.alloc(39);
  candidate.write('4d5100ffffff', 'hex');
  return repeated(...candidate);
}

const scans = [64, 1024, 65536].map((valueBytes) => ({
  name: `walk, values of ${valueBytes} bytes`,
  make: (path) => writeSegment(path, 256 * MIB, valueBytes),
  run: walk,
  wanted: { 64: 0.45, 1024: 0.7, 65536: 0.85 }[valueBytes],
}));

const resyncs = [
  {
    name: 'resync, random bytes',
    make: (path) => writeFile(path, 256 * MIB, (at) => noise(MIB, at + 1)),
    wanted: 0.3,
  },
  {
    name: 'resync, 4D 51 00 FF FF FF again and again',
    make: (path) => writeFile(path, 64 * MIB, repeated(0x4d, 0x51, 0, 0xff, 0xff, 0xff)),
    wanted: 1 / 20,
  },
  {
    name: 'resync, 4D 51 again and again',
    make: (path) => writeFile(path, 64 * MIB, repeated(0x4d, 0x51)),
    wanted: 1 / 20,
  },
  {
    name: 'resync, overlapping frames without a checksum',
    make: (path) => writeFile(path, 64 * MIB, overlapping()),
    wanted: 0,
  },
  {
    name: 'resync, whole frames with values of 64 bytes',
    make: (path) => writeSegment(path, 64 * MIB, 64),
    wanted: 0,
  },
].map((row) => ({ ...row, run: resync }));

const [processor] = cpus();
console.log(
  `${cpus().length} x ${processor?.model}, Node ${process.version}, medians of ${RUNS} runs`,
);
console.log(
  `${'measured'.padEnd(46)} ${'MiB/s'.padStart(7)} ${'limit'.padStart(7)}  ratio  wanted`,
);
const only = process.argv[2] ?? '';
for (const { name, make, run, wanted } of [...scans, ...resyncs]) {
  if (!name.includes(only)) continue;
  withDirectory((directory) => {
    const path = join(directory, 'measured.log');
    make(path);
    const { firstMs, secondMs } = compare(
      () => run(path),
      () => limitPass(path),
    );
    const mib = statSync(path).size / MIB;
    const rate = (ms) => ((mib / ms) * 1000).toFixed(0).padStart(7);
    const ratio = (secondMs / firstMs).toFixed(2).padStart(6);
    console.log(
      `${name.padEnd(46)} ${rate(firstMs)} ${rate(secondMs)} ${ratio}  ${wanted > 0 ? `>= ${wanted}` : ''}`,
    );
  });
}
