import type { CommandGrammar, OptionGrammar } from '../program/command-list.ts';

/** What may be written once these words stand on the command line. */
export interface CompletionNode {
  /** `runs list`; empty at the beginning. */
  readonly path: string;
  /** Subcommands, or what the first argument may be. */
  readonly words: readonly CompletionWord[];
  readonly options: readonly OptionGrammar[];
}

export interface CompletionWord {
  readonly name: string;
  readonly summary: string;
}

const HELP = 'help';

/** Every beginning of a command line that consists of a command's words, shortest first. */
export function toCompletionTree(commands: readonly CommandGrammar[]): CompletionNode[] {
  const globals = commands.find(({ name }) => name === HELP)?.options ?? [];
  const nodes = new Map<string, CompletionNode>();
  const paths = new Set(['', ...commands.flatMap(({ name }) => beginningsOf(name))]);
  for (const path of paths) {
    const command = commands.find(({ name }) => name === path);
    const words = [...subcommandsOf(path, commands), ...choicesOf(command)];
    nodes.set(path, { path, words, options: command?.options ?? globals });
  }
  // Help takes the words of any command.
  for (const { path, words } of [...nodes.values()]) {
    const isCommand = commands.some(({ name }) => name === path);
    const helpPath = `${HELP} ${path}`.trim();
    if (path !== HELP)
      nodes.set(helpPath, { path: helpPath, words: isCommand ? [] : words, options: globals });
  }
  return [...nodes.values()].sort((a, b) => a.path.split(' ').length - b.path.split(' ').length);
}

/** `tool`, `tool circuit-breaker`, `tool circuit-breaker open`. */
function beginningsOf(name: string): string[] {
  const words = name.split(' ');
  return words.map((_, at) => words.slice(0, at + 1).join(' '));
}

function subcommandsOf(path: string, commands: readonly CommandGrammar[]): CompletionWord[] {
  const prefix = path === '' ? '' : `${path} `;
  const below = new Map<string, string[]>();
  for (const { name, summary } of commands) {
    if (!name.startsWith(prefix) || name === path) continue;
    const [word = '', ...rest] = name.slice(prefix.length).split(' ');
    const summaries = below.get(word) ?? [];
    below.set(word, [...summaries, rest.length === 0 ? summary : rest.join(' ')]);
  }
  return [...below].map(([name, summaries]) => ({ name, summary: summaries.join(', ') }));
}

function choicesOf(command: CommandGrammar | undefined): CompletionWord[] {
  return (command?.choices ?? []).map((name) => ({ name, summary: '' }));
}

/** Every option that is followed by a value, whichever command it belongs to. */
export function listValueOptions(nodes: readonly CompletionNode[]): string[] {
  const names = nodes.flatMap(({ options }) =>
    options.filter(({ value }) => value !== undefined).map(({ name }) => `--${name}`),
  );
  return [...new Set(names)].sort();
}

/** What completes the value of an option. */
export function fillingOf({
  value,
  choices,
}: OptionGrammar): 'choices' | 'directories' | 'files' | 'none' {
  if (choices.length > 0) return 'choices';
  if (value === 'DIR') return 'directories';
  return value === 'FILE' || value === 'PATH' ? 'files' : 'none';
}

/** In single quotes, for bash and zsh. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Arms of a `case`: those that do the same are one, or the script would repeat the common options for every command. */
export function joinArms(arms: readonly (readonly [pattern: string, action: string])[]): string {
  const patterns = new Map<string, string[]>();
  for (const [pattern, action] of arms) {
    if (action === '') continue;
    patterns.set(action, [...(patterns.get(action) ?? []), quote(pattern)]);
  }
  return [...patterns].map(([action, all]) => `      ${all.join('|')}) ${action} ;;`).join('\n');
}
