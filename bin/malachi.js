#!/usr/bin/env node
'use strict';

// All output is written by then; Node's own end would wait for worker threads to be taken apart.
require('../dist/bundle/main.js').main(process.argv.slice(2)).then(process.exit);
