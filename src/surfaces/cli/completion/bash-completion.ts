import type { OptionGrammar } from '../program/command-list.ts';
import {
  type CompletionNode,
  fillingOf,
  joinArms,
  listValueOptions,
  quote,
} from './completion-tree.ts';

/** Also for the bash of macOS, which is 3.2: no associative arrays, no mapfile. */
export function renderBashCompletion(nodes: readonly CompletionNode[]): string {
  return `# bash completion for claw
# Load it now: source <(claw completion bash)
# Or for good: claw completion bash > ~/.local/share/bash-completion/completions/claw

_claw_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen "$1" -- "$2"))
}

_claw() {
  local cur prev at word i skip given candidates
  COMPREPLY=()
  cur="\${COMP_WORDS[COMP_CWORD]}"
  prev="\${COMP_WORDS[COMP_CWORD-1]}"
  # The = of --option=value is a word of its own here.
  if [[ $cur == '=' ]]; then
    cur=''
  elif [[ $prev == '=' ]]; then
    prev="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  at=''
  skip=0
  given=0
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if ((skip)); then
      [[ $word == '=' ]] || skip=0
      continue
    fi
    case "$word" in
      --) compopt -o default 2>/dev/null; return 0 ;;
      ${listValueOptions(nodes).join(' | ')}) skip=1 ;;
      -* | '=') ;;
      *)
        if ((given)); then continue; fi
        case "\${at:+$at }$word" in
          ${pathsOf(nodes)}) at="\${at:+$at }$word" ;;
          *) given=1 ;;
        esac
        ;;
    esac
  done
  if ((skip)); then
    candidates=''
    case "$at $prev" in
${joinArms(listValueArms(nodes))}
    esac
  elif [[ $cur == -* ]]; then
    case "$at" in
${joinArms(nodes.map(({ path, options }) => [path, offer(options.flatMap(spellings))]))}
    esac
  elif ((given)); then
    compopt -o default 2>/dev/null
    return 0
  else
    case "$at" in
${joinArms(nodes.map(({ path, words }) => [path, offerWords(words)]))}
    esac
  fi
  local IFS=$' \\n'
  COMPREPLY=($(compgen -W "$candidates" -- "$cur"))
}

complete -F _claw claw
`;
}

function pathsOf(nodes: readonly CompletionNode[]): string {
  return nodes
    .filter(({ path }) => path !== '')
    .map(({ path }) => quote(path))
    .join(' | ');
}

function offer(candidates: readonly string[]): string {
  return `candidates=${quote(candidates.join(' '))}`;
}

/** Where an argument of the user's own comes next, files are as good a guess as any. */
function offerWords(words: CompletionNode['words']): string {
  if (words.length > 0) return offer(words.map(({ name }) => name));
  return 'compopt -o default 2>/dev/null; return 0';
}

function spellings({ name, short }: OptionGrammar): string[] {
  return short === undefined ? [`--${name}`] : [`-${short}`, `--${name}`];
}

function listValueArms(nodes: readonly CompletionNode[]) {
  return nodes.flatMap(({ path, options }) =>
    options.map((option) => [`${path} --${option.name}`, offerValues(option)] as const),
  );
}

function offerValues(option: OptionGrammar): string {
  switch (fillingOf(option)) {
    case 'choices':
      return offer(option.choices);
    case 'directories':
      return '_claw_files -d "$cur"; return 0';
    case 'files':
      return '_claw_files -f "$cur"; return 0';
    case 'none':
      return '';
  }
}
