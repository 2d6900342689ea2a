import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { withPresentOutput } from './helpers/readme.js';
import { tempDirectory } from './helpers/temp.js';

const path = fileURLToPath(new URL('../README.md', import.meta.url));

// After a wanted change of what a command prints: npx vitest run test/readme.test.ts --update
test('the README shows what the commands print', async () => {
  const readme = readFileSync(path, 'utf8');
  expect(readme.match(/^\$ malachi /gm)?.length).toBeGreaterThan(8);
  const present = withPresentOutput(readme, tempDirectory());
  await expect(present).toMatchFileSnapshot(path);
});
