#!/usr/bin/env node
'use strict';

require('../dist/bundle/main.js')
  .main(process.argv.slice(2))
  .then((code) => {
    process.exitCode = code;
  });
