import type { OptionGrammar } from '../program/command-list.ts';
import {
  type CompletionNode,
  type CompletionWord,
  fillingOf,
  listValueOptions,
} from './completion-tree.ts';

export function renderFishCompletion(nodes: readonly CompletionNode[]): string {
  return `# fish completion for claw
# Load it now: claw completion fish | source
# Or for good: claw completion fish > ~/.config/fish/completions/claw.fish

# The words of the command so far, and whether an argument follows them.
function __claw_at
    set -l at
    set -l skip 0
    set -l given 0
    set -l tokens (commandline -opc)
    for word in $tokens[2..-1]
        if test $skip -eq 1
            set skip 0
            continue
        end
        switch "$word"
            case --
                echo '--|1'
                return
            case ${listValueOptions(nodes).join(' ')}
                set skip 1
            case '-*'
                continue
            case '*'
                if test $given -eq 1
                    continue
                end
                if contains -- (string join ' ' $at $word) ${pathsOf(nodes)}
                    set at $at $word
                else
                    set given 1
                end
        end
    end
    echo "$at|$given"
end

function __claw_next
    test (__claw_at) = "$argv[1]|0"
end

function __claw_in
    set -l now (__claw_at)
    test "$now" = "$argv[1]|0"; or test "$now" = "$argv[1]|1"
end

${renderAll(nodes).join('\n')}
`;
}

function renderAll(nodes: readonly CompletionNode[]): string[] {
  const common = nodes.find(({ path }) => path === '')?.options ?? [];
  const isCommon = (name: string) => common.some((option) => option.name === name);
  return [
    ...common.map((option) => `complete -c claw ${renderOption(option)}`),
    ...nodes.flatMap(({ path, words, options }) => [
      ...words.map((word) => renderWord(path, word)),
      ...options
        .filter(({ name }) => !isCommon(name))
        .map((option) => `complete -c claw ${when('__claw_in', path)} ${renderOption(option)}`),
    ]),
  ];
}

function renderWord(path: string, { name, summary }: CompletionWord): string {
  const description = summary === '' ? '' : ` -d ${quote(summary)}`;
  return `complete -c claw ${when('__claw_next', path)} -f -a ${quote(name)}${description}`;
}

function when(condition: string, path: string): string {
  return `-n ${quote(`${condition} ${quote(path)}`)}`;
}

function renderOption(option: OptionGrammar): string {
  const { name, short, value, choices, summary } = option;
  const names = `-l ${quote(name)}${short === undefined ? '' : ` -s ${quote(short)}`}`;
  const description = `-d ${quote(summary)}`;
  if (value === undefined) return `${names} -f ${description}`;
  switch (fillingOf(option)) {
    case 'choices':
      return `${names} -x -a ${quote(choices.join(' '))} ${description}`;
    case 'directories':
      return `${names} -x -a '(__fish_complete_directories)' ${description}`;
    case 'files':
      return `${names} -r -F ${description}`;
    case 'none':
      return `${names} -x ${description}`;
  }
}

function pathsOf(nodes: readonly CompletionNode[]): string {
  return nodes
    .filter(({ path }) => path !== '')
    .map(({ path }) => quote(path))
    .join(' ');
}

/** In single quotes of fish, where a backslash escapes. */
function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
