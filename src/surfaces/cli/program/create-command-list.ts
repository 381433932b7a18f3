import { RuntimeError } from '../../../core/errors.ts';
import type { Live } from '../live.ts';
import type { OptionSpec, OptionSpecs } from './command.ts';
import type { CommandEntry } from './command-entry.ts';
import type { CommandGrammar, CommandList, ListedCommand, OptionGrammar } from './command-list.ts';
import { findCommandSource } from './command-source.ts';
import { COMMAND_TABLE, HELP_ENTRY } from './command-table.ts';
import type { CliContext } from './context.ts';
import { executeLine } from './execute-line.ts';
import { GLOBAL_OPTIONS } from './global-options.ts';

/** `inContext` is asked when a command is executed; who only reads the list has none. */
export function createCommandList(inContext: (live: Live) => CliContext = noContext): CommandList {
  return {
    execute: (argv, live) => executeLine(argv, inContext(live)),
    list: () => [...COMMAND_TABLE, HELP_ENTRY].map(toListed),
    describe: async () => {
      const commands = await Promise.all(COMMAND_TABLE.map(describeCommand));
      // Its arguments are names of commands, which whoever completes them knows.
      const help = { ...toListed(HELP_ENTRY), options: toGrammars(GLOBAL_OPTIONS), choices: [] };
      return [...commands, help];
    },
  };
}

function noContext(): never {
  throw new RuntimeError('internal', 'this list of commands is for reading only');
}

async function describeCommand(entry: CommandEntry): Promise<CommandGrammar> {
  const { options, choices } = await entry.load();
  return { ...toListed(entry), options: toGrammars({ ...options, ...GLOBAL_OPTIONS }), choices };
}

function toListed({ name, summary, group }: Omit<CommandEntry, 'load'>): ListedCommand {
  return { name, summary, group, source: findCommandSource(name) };
}

function toGrammars(specs: OptionSpecs): OptionGrammar[] {
  return Object.entries(specs).map(([name, spec]) => toGrammar(name, spec));
}

function toGrammar(name: string, spec: OptionSpec): OptionGrammar {
  return {
    name,
    short: 'short' in spec ? spec.short : undefined,
    summary: spec.summary,
    value: spec.kind === 'flag' ? undefined : spec.value,
    choices: spec.kind === 'choice' ? spec.choices : [],
  };
}
