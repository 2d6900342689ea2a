#!/usr/bin/env node
import { createRequire } from 'node:module';

const { run } = createRequire(import.meta.url)('../dist/bundle/run.js');
// All output is written by then; Node's own end would wait for worker threads to be taken apart.
process.exit(await run(process.argv.slice(2)));
