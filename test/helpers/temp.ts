import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A directory that is gone when the test is. */
export function tempDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'malachi-test-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A copy of a file or a tree that a test may change. */
export function tempCopy(of: string): string {
  const path = join(tempDirectory(), 'copy');
  cpSync(of, path, { recursive: true });
  return path;
}
