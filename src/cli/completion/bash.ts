import type { CompletedCommand, Values } from './model.js';

/** Completion for bash 3.2 and later. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const cases = commands.map(commandCase).join('');
  return `# bash completion for malachi; load it with: source <(malachi completion bash)
_malachi_words() {
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$1" -- "$2")
}

_malachi_paths() {
  local path
  compopt -o filenames 2>/dev/null
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$1" -- "$2")
}

_malachi() {
  local current="\${COMP_WORDS[COMP_CWORD]}" option="\${COMP_WORDS[COMP_CWORD-1]}" command='' at equals=0
  COMPREPLY=()
  # bash splits words at equals signs: --out = x, and --node name = root.
  if [[ $current == '=' ]]; then
    current=''
    equals=$COMP_CWORD
  elif [[ $option == '=' ]]; then
    equals=$((COMP_CWORD - 1))
  fi
  for ((at = equals - 1; at > 1; at--)); do
    option="\${COMP_WORDS[at]}"
    [[ $option != -* ]] || break
  done
  for ((at = 1; at < COMP_CWORD; at++)); do
    if [[ \${COMP_WORDS[at]} != -* ]]; then
      command="\${COMP_WORDS[at]}"
      break
    fi
  done
  case "$command" in
    '') _malachi_words '${names} --help --version' "$current" ;;
${cases}  esac
}

complete -o bashdefault -o default -F _malachi malachi
`;
}

function commandCase({ name, options, argument }: CompletedCommand): string {
  const flags = options.flatMap((option) => option.flags).join(' ');
  const withValues = options.flatMap(({ flags, value }) =>
    value ? [`        ${flags.join(' | ')}) ${completer(value)}; return ;;\n`] : [],
  );
  const values =
    withValues.length > 0 ? `      case "$option" in\n${withValues.join('')}      esac\n` : '';
  return `    ${name})
${values}      if [[ $current == -* ]]; then
        _malachi_words '${flags}' "$current"
      else
        ${completer(argument)}
      fi
      ;;
`;
}

function completer(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `_malachi_words '${values.words.join(' ')}' "$current"`;
    case 'files':
      return '_malachi_paths -f "$current"';
    case 'directories':
      return '_malachi_paths -d "$current"';
    case 'none':
      return ':';
  }
}
