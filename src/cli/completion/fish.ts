import type { CompletedCommand, CompletedOption, Values } from './model.js';

/** Completion for fish. */
export function fishScript(commands: readonly CompletedCommand[]): string {
  const lines = [
    '# fish completion for malachi; load it with: malachi completion fish | source',
    'complete -c malachi -f',
    'complete -c malachi -n __fish_use_subcommand -l help -d "print help"',
    'complete -c malachi -n __fish_use_subcommand -l version -d "print the version"',
  ];
  for (const { name, summary, options, argument } of commands) {
    lines.push(`complete -c malachi -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`);
    const when = `complete -c malachi -n '__fish_seen_subcommand_from ${name}'`;
    lines.push(...options.map((option) => `${when} ${optionWords(option)}`));
    if (argument.kind !== 'none') lines.push(`${when} ${valueWords(argument)}`);
  }
  return `${lines.join('\n')}\n`;
}

function optionWords({ flags, description, value }: CompletedOption): string {
  const names = flags.map((flag) =>
    flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
  );
  const values = value ? ` -r ${valueWords(value)}` : '';
  return `${names.join(' ')}${values} -d ${quote(description)}`;
}

function valueWords(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `-f -a ${quote(values.words.join(' '))}`;
    case 'files':
      return '-F';
    case 'directories':
      return "-f -a '(__fish_complete_directories)'";
    case 'none':
      return '-f';
  }
}

function quote(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
