import type { OptionGrammar } from '../program/command-list.ts';
import {
  type CompletionNode,
  fillingOf,
  joinArms,
  listValueOptions,
  quote,
} from './completion-tree.ts';

/** `words`, `path`, `options` and `commands` are zsh's own and must not be used for anything else. */
export function renderZshCompletion(nodes: readonly CompletionNode[]): string {
  return `#compdef claw
# zsh completion for claw
# Load it now: source <(claw completion zsh)
# Or for good: claw completion zsh > a folder of your $fpath, as _claw

_claw() {
  local at='' word prev=''
  local -i i skip=0 given=0
  local -a names flags
  for (( i = 2; i < CURRENT; i++ )); do
    word="\${words[i]}"
    if (( skip )); then
      skip=0
      continue
    fi
    case "$word" in
      --) _files; return ;;
      ${listValueOptions(nodes).join('|')}) skip=1; prev="$word" ;;
      -*) ;;
      *)
        if (( given )); then
          continue
        fi
        case "\${at:+$at }$word" in
          ${pathsOf(nodes)}) at="\${at:+$at }$word" ;;
          *) given=1 ;;
        esac
        ;;
    esac
  done
  if [[ "$PREFIX" == --*=* ]]; then
    prev="\${PREFIX%%=*}"
    compset -P '*='
    skip=1
  fi
  if (( skip )); then
    case "$at $prev" in
${joinArms(listValueArms(nodes))}
    esac
    return
  fi
  if [[ "$PREFIX" == -* ]]; then
    case "$at" in
${joinArms(nodes.map(({ path, options }) => [path, set('flags', options.flatMap(describeOption))]))}
    esac
    _describe -o 'option' flags
    return
  fi
  if (( given )); then
    _files
    return
  fi
  case "$at" in
${joinArms(nodes.map(({ path, words }) => [path, set('names', words.map(describeWord))]))}
  esac
  if (( $#names )); then
    _describe 'command' names
  else
    _files
  fi
}

if [[ "\${funcstack[1]}" == '_claw' ]]; then
  _claw "$@"
else
  compdef _claw claw
fi
`;
}

function pathsOf(nodes: readonly CompletionNode[]): string {
  return nodes
    .filter(({ path }) => path !== '')
    .map(({ path }) => quote(path))
    .join('|');
}

function set(array: string, items: readonly string[]): string {
  return `${array}=(${items.map(quote).join(' ')})`;
}

/** A colon ends the name. */
function describeWord({ name, summary }: { readonly name: string; readonly summary: string }) {
  const plain = name.replaceAll(':', '\\:');
  return summary === '' ? plain : `${plain}:${summary}`;
}

function describeOption({ name, short, summary }: OptionGrammar): string[] {
  const long = describeWord({ name: `--${name}`, summary });
  return short === undefined ? [long] : [describeWord({ name: `-${short}`, summary }), long];
}

function listValueArms(nodes: readonly CompletionNode[]) {
  return nodes.flatMap(({ path, options }) =>
    options.map((option) => [`${path} --${option.name}`, offerValues(option)] as const),
  );
}

function offerValues(option: OptionGrammar): string {
  switch (fillingOf(option)) {
    case 'choices':
      return `compadd -- ${option.choices.map(quote).join(' ')}`;
    case 'directories':
      return '_files -/';
    case 'files':
      return '_files';
    case 'none':
      return '';
  }
}
