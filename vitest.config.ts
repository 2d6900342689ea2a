import { defineConfig } from 'vitest/config';
import type { Reporter } from 'vitest/node';

/** Ends the output with one line that any log can be searched for. */
const closingLine: Reporter = {
  onTestRunEnd(modules) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const ended = (state: string): number =>
      tests.filter((test) => test.result().state === state).length;
    const counts = `${ended('passed')} passed, ${ended('failed')} failed`;
    // After the summary of the default reporter, which is written in the same turn.
    setTimeout(() => process.stdout.write(`\n${counts}\n`));
  },
};

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    pool: 'forks',
    reporters: ['default', closingLine],
  },
});
