import type { Command } from 'commander';
import type { Context } from './context.js';

/** Builds one command; the modules are loaded one by one, so that a short run loads little. */
export type CommandBuilder = (context: Context) => Command;

/** Every command, in the order in which an operator meets them. */
export const commandTable: Readonly<Record<string, () => Promise<CommandBuilder>>> = {
  inspect: async () => (await import('./commands/inspect.js')).inspectCommand,
  check: async () => (await import('./commands/check.js')).checkCommand,
  fixture: async () => (await import('./commands/fixture.js')).fixtureCommand,
  compare: async () => (await import('./commands/compare.js')).compareCommand,
};
