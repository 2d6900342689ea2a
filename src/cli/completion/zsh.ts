import type { CompletedCommand, CompletedOption, Values } from './model.js';

/** Completion for zsh. */
export function zshScript(commands: readonly CompletedCommand[]): string {
  const described = commands.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}\n`);
  return `#compdef malachi
# zsh completion for malachi; load it with: source <(malachi completion zsh)
_malachi_node_root() {
  compset -P '*='
  _files -/
}

_malachi() {
  local -a commands
  commands=(
${described.join('')}  )
  if ((CURRENT == 2)); then
    _describe command commands
    _arguments '--help[print help]' '--version[print the version]'
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
${commands.map(commandCase).join('')}  esac
}

if [[ $funcstack[1] == _malachi ]]; then
  _malachi "$@"
else
  compdef _malachi malachi
fi
`;
}

function commandCase({ name, options, argument }: CompletedCommand): string {
  const specs = options.flatMap(optionSpecs);
  if (argument.kind !== 'none') specs.push(quote(`*:argument:${action(argument)}`));
  return `    ${name})\n      _arguments \\\n        ${specs.join(' \\\n        ')}\n      ;;\n`;
}

/** Every spelling of an option; all may be given more than once, as some must. */
function optionSpecs({ flags, description, value }: CompletedOption): string[] {
  const text = description.replace(/[[\]\\:]/g, '\\$&');
  return flags.map((flag) => {
    const start = value && flag.startsWith('--') ? `*${flag}=` : `*${flag}`;
    return quote(`${start}[${text}]${value ? `:value:${action(value)}` : ''}`);
  });
}

function action(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `(${values.words.join(' ')})`;
    case 'files':
      return '_files';
    case 'directories':
      return '_malachi_node_root';
    case 'none':
      return ' ';
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
