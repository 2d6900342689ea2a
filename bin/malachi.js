#!/usr/bin/env node
import { createRequire } from 'node:module';

const { run } = createRequire(import.meta.url)('../dist/bundle/run.js');
process.exitCode = await run(process.argv.slice(2));
