// Plans from three nodes' inventories: seconds and peak resident size for 10,000 and 100,000 segments, with
// offsets that a double holds and such that it does not. Wanted: 10 s and 1 GiB at most, and 1:13.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../bin/malachi.js', import.meta.url));
const nodes = [1, 2, 3].map((number) => `malachi@n${number}.example.org`);
const RANGES = 10;
const report =
  'process.on("exit", () => console.error(process.resourceUsage().maxRSS / 1024 + " MiB"));';

function segmentJson(seq, start) {
  const seal = `"state":"sealed","length":100,"byte_size":4096,"sealed_at":1700000000000`;
  const replicas = `"primary":"${nodes[0]}","replica_set":${JSON.stringify(nodes)}`;
  return `{"seq":${seq},${seal},"start_offset":${start + BigInt(seq) * 100n},${replicas}}`;
}

/** Writes a snapshot and inventories of this many segments. @returns the command's arguments. */
function writeCluster(directory, segments, start) {
  const each = segments / RANGES;
  const seqs = Array.from({ length: each }, (_, seq) => seq);
  const ranges = Array.from({ length: RANGES }, (_, range) => {
    const list = seqs.map((seq) => segmentJson(seq, start)).join(',');
    return `{"seq":${range},"segments":[${list}]}`;
  });
  const metadata = join(directory, 'metadata.json');
  writeFileSync(metadata, `{"name":"events","ranges":[${ranges.join(',')}]}`);
  const copies = ranges.flatMap((_, range) =>
    seqs.map((seq) => ({
      segment: `events-r${range}-s${seq}`,
      shard: seq % 8,
      stored_bytes: 4096 + (seq % 2),
      fenced: seq % 3 === 0,
      settled: null,
    })),
  );
  const inventories = nodes.flatMap((node) => {
    const path = join(directory, `${node}.json`);
    const entry = { node, root: '/data', complete: true, copies, errors: [] };
    const document = { schema: 'malachi.inventory/1', taken_at: 0, nodes: [entry] };
    writeFileSync(path, JSON.stringify(document, null, 2));
    return ['--inventory', path];
  });
  return ['--metadata', metadata, ...inventories];
}

for (const start of [0n, 2n ** 53n + 1n]) {
  const seconds = [10_000, 100_000].map((segments) => {
    const directory = mkdtempSync(join(tmpdir(), 'malachi-bench-'));
    const args = writeCluster(directory, segments, start);
    const preload = ['--import', `data:text/javascript,${encodeURIComponent(report)}`];
    const startedAt = performance.now();
    const run = spawnSync(process.execPath, [...preload, bin, 'plan-overrun', ...args]);
    const elapsed = (performance.now() - startedAt) / 1000;
    rmSync(directory, { recursive: true });
    const peak = Math.round(parseFloat(String(run.stderr)));
    console.log(`from offset ${start}: ${segments} segments, ${elapsed.toFixed(2)} s, ${peak} MiB`);
    return elapsed;
  });
  console.log(`  1 : ${(seconds[1] / seconds[0]).toFixed(1)}`);
}
