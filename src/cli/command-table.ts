import type { Command } from 'commander';
import type { Context } from './context.js';

/** Builds one command; the modules are loaded one by one, so that a short run loads little. */
export type CommandBuilder = (context: Context) => Command;

/** Every command, in the order in which an operator meets them. */
export const commandTable: Readonly<Record<string, () => Promise<CommandBuilder>>> = {
  inspect: async () => (await import('./commands/inspect.js')).inspectCommand,
  compare: async () => (await import('./commands/compare.js')).compareCommand,
  dump: async () => (await import('./commands/dump.js')).dumpCommand,
  'plan-overrun': async () => (await import('./commands/plan-overrun.js')).planOverrunCommand,
  settle: async () => (await import('./commands/settle.js')).settleCommand,
  restore: async () => (await import('./commands/restore.js')).restoreCommand,
  inventory: async () => (await import('./commands/inventory.js')).inventoryCommand,
  recover: async () => (await import('./commands/recover.js')).recoverCommand,
  salvage: async () => (await import('./commands/salvage.js')).salvageCommand,
  reindex: async () => (await import('./commands/reindex.js')).reindexCommand,
  check: async () => (await import('./commands/check.js')).checkCommand,
  fixture: async () => (await import('./commands/fixture.js')).fixtureCommand,
  explain: async () => (await import('./commands/explain.js')).explainCommand,
  completion: async () => (await import('./commands/completion.js')).completionCommand,
};
