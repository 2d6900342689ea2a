import { join } from 'node:path';
import { malachi, parseAnswer } from './cli.js';
import { goldenRoot } from './golden.js';

export interface InspectAnswer {
  schema: string;
  files: (Record<string, unknown> & { path: string; segment: string })[];
  errors: { path: string; code: string; message: string }[];
  summary: Record<string, number>;
}

export const LOG = '00000000000000000000.log';

/** Path of something in the golden fixtures. */
export const golden = (name: string): string => join(goldenRoot, name);

/** Runs `inspect --json`. */
export function inspectJson(...args: string[]): { status: number | null; answer: InspectAnswer } {
  const { status, stdout } = malachi(['inspect', '--json', ...args]);
  return { status, answer: parseAnswer<InspectAnswer>(stdout) };
}
