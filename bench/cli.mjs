// What the command line costs as a whole: start-up, worker threads, growth and memory. Takes 4 GiB of disk, and of
// memory to cache them, for a while.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodeFrame } from '../dist/format/frame.js';
import { MIB, compare, withDirectory, writeSegment } from './files.mjs';

const bin = fileURLToPath(new URL('../bin/malachi.js', import.meta.url));
const LOG = '00000000000000000000.log';
const PEAK = `
  import { isMainThread } from 'node:worker_threads';
  if (isMainThread) process.on('exit', () => console.error(process.resourceUsage().maxRSS / 1024));`;
const reporter = `--import=data:text/javascript,${encodeURIComponent(PEAK)}`;

function node(args) {
  const child = spawnSync(process.execPath, args, { maxBuffer: 1 << 30 });
  if (child.status !== 0) throw new Error(`${args.join(' ')}: ${child.stderr.toString()}`);
  return child;
}

const inspect = (...args) => node([bin, 'inspect', '--json', ...args]);
const peakMib = (...args) =>
  Number(
    node([reporter, ...args])
      .stderr.toString()
      .trim(),
  );

function show(name, ratio, wanted) {
  console.log(`${name.padEnd(60)} ${ratio.toFixed(2).padStart(6)}  ${wanted}`);
}

function segment(root, n) {
  const directory = join(root, `bench-r0-s${n}`);
  mkdirSync(directory, { recursive: true });
  return join(directory, LOG);
}

/** A root of so many files of 64 MiB. */
function largeRoot(root, files, valueBytes = 1024) {
  const first = segment(root, 0);
  writeSegment(first, 64 * MIB, valueBytes);
  for (let n = 1; n < files; n++) copyFileSync(first, segment(root, n));
  // Else the system writes them out while they are read.
  spawnSync('sync');
  return root;
}

function tinyRoot(root, directories) {
  const value = Buffer.from('tiny');
  const frame = encodeFrame({ offset: 0n, timestamp: 0n, key: null, value, headers: [] });
  for (let n = 0; n < directories; n++) writeFileSync(segment(root, n), frame);
  return root;
}

const base = () => node(['-e', '0']);

withDirectory((directory) => {
  const one = tinyRoot(directory, 1);
  const { firstMs, secondMs } = compare(() => inspect(one), base);
  show('inspecting one small file, over node -e 0', firstMs / secondMs, '<= 2.5');
});

for (const [files, valueBytes] of [
  [16, 64],
  [16, 1024],
  [16, 65536],
  [64, 1024],
]) {
  withDirectory((directory) => {
    const root = largeRoot(directory, files, valueBytes);
    const { firstMs, secondMs } = compare(
      () => inspect(root, '--jobs', '1'),
      () => inspect(root, '--jobs', '2'),
    );
    const name = `${files} files of 64 MiB, ${valueBytes}-byte values: one job, over two`;
    show(name, firstMs / secondMs, '>= 1.7');
    if (valueBytes !== 1024) return;
    const over = peakMib(bin, 'inspect', '--json', '--jobs', '2', root) - peakMib('-e', '0');
    show('the same: peak memory with two jobs over node -e 0, MiB', over, '<= 200');
  });
}

for (const [unit, make, [few, many]] of [
  ['file of 64 MiB', largeRoot, [1, 4]],
  ['file of 64 MiB', largeRoot, [4, 16]],
  ['tiny directory', tinyRoot, [1000, 10_000]],
]) {
  withDirectory((directory) => {
    const roots = [few, many].map((count) => make(join(directory, String(count)), count));
    const [fewRoot, manyRoot] = roots;
    const { firstMs, secondMs } = compare(
      () => inspect(fewRoot),
      () => inspect(manyRoot),
    );
    show(`time per ${unit}, ${many} over ${few}`, secondMs / many / (firstMs / few), '<= 1.3');
  });
}
