import { Argument, Command } from 'commander';
import type { CompletedCommand } from '../completion/model.js';
import type { Context } from '../context.js';
import { addOutputOptions } from '../options.js';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

const EXAMPLES = `
Examples:
  $ source <(malachi completion bash)      in ~/.bashrc
  $ source <(malachi completion zsh)       in ~/.zshrc, behind compinit
  $ malachi completion fish > ~/.config/fish/completions/malachi.fish

Exit codes:
  0 printed   2 an unknown shell`;

export function completionCommand(context: Context): Command {
  return addOutputOptions(new Command('completion'))
    .summary('print completions of commands, flags and paths for a shell')
    .description('Prints a script that completes commands, flags and paths.')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', EXAMPLES)
    .action(async (shell: Shell) => {
      const { buildWholeProgram } = await import('../program.js');
      const { completionModel } = await import('../completion/model.js');
      const model = completionModel(await buildWholeProgram(context));
      await context.output.result(await scriptFor(shell, model));
    });
}

async function scriptFor(shell: Shell, model: readonly CompletedCommand[]): Promise<string> {
  switch (shell) {
    case 'bash':
      return (await import('../completion/bash.js')).bashScript(model);
    case 'zsh':
      return (await import('../completion/zsh.js')).zshScript(model);
    case 'fish':
      return (await import('../completion/fish.js')).fishScript(model);
  }
}
