// Bundles the command line into dist/bundle, which `npm run build` does after the compiler. A run then
// loads a few files instead of a hundred, and a worker thread loads one of its own.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const output = `${root}dist/bundle`;
const source = (path) => `${root}src/${path}.ts`;

/** What is loaded for every command, before anything else. */
const MAIN = ['cli/main'].map(source);
/** What starts worker threads, and what works with them: most runs have no use for either. */
const START = ['jobs/worker-start'].map(source);
const POOL = ['jobs/pool'].map(source);
/** What `inspect` needs beside it, the command that is run most. */
const INSPECT = [
  'cli/run',
  'cli/program',
  'cli/commands/inspect',
  'operations/inspect',
  'operations/inspect-file',
  'report/json',
].map(source);
/** What `inspect` needs to answer in text. */
const TEXT = ['report/inspect', 'report/style'].map(source);
/** What a worker thread needs for `inspect`. */
const JOB = ['jobs/worker', 'operations/inspect-file'].map(source);

/** The modules, everything that they import, and what that imports in turn. */
function closure(ids, getModuleInfo, found = new Set()) {
  for (const id of ids) {
    if (found.has(id)) continue;
    found.add(id);
    closure(getModuleInfo(id)?.importedIds ?? [], getModuleInfo, found);
  }
  return found;
}

/** Puts every module into the first of these chunks that needs it, and those of src that none needs into one more. */
function chunks(wanted) {
  const needed = new Map();
  return (id, { getModuleInfo }) => {
    for (const [name, modules] of Object.entries(wanted)) {
      if (!needed.has(name)) needed.set(name, closure(modules, getModuleInfo));
      if (needed.get(name).has(id)) return name;
    }
    return id.startsWith(`${root}src/`) ? `${Object.keys(wanted)[0]}-rest` : undefined;
  };
}

/** CommonJS, because Node starts it faster: no graph to link, no table of each builtin's exports to fill. */
function bundle(name, entry, manualChunks) {
  return build({
    root,
    configFile: false,
    logLevel: 'error',
    // Names stay, so that the trace of an unexpected error can be read.
    esbuild: { minifyIdentifiers: false, minifySyntax: true, minifyWhitespace: true },
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: 'node20',
      outDir: output,
      emptyOutDir: false,
      minify: 'esbuild',
      license: { fileName: `${name}-licenses.md` },
      rollupOptions: {
        input: { [name]: source(entry) },
        output: {
          format: 'cjs',
          entryFileNames: '[name].js',
          chunkFileNames: '[name].js',
          manualChunks,
        },
      },
    },
  });
}

await bundle(
  'main',
  'cli/main',
  chunks({ main: MAIN, start: START, run: INSPECT, pool: POOL, text: TEXT }),
);
await bundle('worker', 'jobs/worker', chunks({ worker: JOB }));
writeFileSync(`${output}/package.json`, '{ "type": "commonjs" }\n');
