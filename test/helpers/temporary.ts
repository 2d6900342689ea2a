import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty directory that goes away with the test; with `from`, a copy of that directory. */
export function temporaryDirectory(from?: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'malachi-test-'));
  onTestFinished(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  if (from !== undefined) cpSync(from, directory, { recursive: true });
  return directory;
}
