import type { JsonObject } from '../../core/json.ts';
import type { Command, OptionSpec, OptionSpecs } from './command.ts';
import type { CommandEntry } from './command-entry.ts';
import { COMMAND_TABLE, HELP_ENTRY } from './command-table.ts';
import { GLOBAL_OPTIONS } from './global-options.ts';
import type { Style } from './style.ts';

export interface Help {
  readonly fields: JsonObject;
  text(style: Style): string;
}

type ListedEntry = Pick<CommandEntry, 'name' | 'summary' | 'group'>;

const LISTED: readonly ListedEntry[] = [...COMMAND_TABLE, HELP_ENTRY];
const USAGE = 'claw <command> [options]';

export function explainProgram(): Help {
  return {
    fields: {
      usage: USAGE,
      commands: LISTED.map(encodeEntry),
      options: encodeOptions(GLOBAL_OPTIONS),
    },
    text: (style) =>
      [
        'Pincer: a self-hosted runtime for agents.',
        `${style.bold('Usage:')} ${USAGE}`,
        ...[...new Set(LISTED.map(({ group }) => group))].map((group) =>
          section(style, group, toRows(LISTED.filter((entry) => entry.group === group))),
        ),
        section(style, 'Options for every command', optionRows(GLOBAL_OPTIONS)),
        'claw help <command> explains a command, with examples.',
      ].join('\n\n'),
  };
}

export function explainGroup(word: string, entries: readonly CommandEntry[]): Help {
  const usage = `claw ${word} <subcommand> [options]`;
  return {
    fields: { name: word, usage, commands: entries.map(encodeEntry) },
    text: (style) =>
      [
        `${style.bold('Usage:')} ${usage}`,
        section(style, 'Subcommands', toRows(entries)),
        `claw help ${word} <subcommand> explains one, with examples.`,
      ].join('\n\n'),
  };
}

export function explainCommand(entry: CommandEntry, command: Command): Help {
  const usage = `claw ${entry.name} ${command.usage}`.trimEnd();
  return {
    fields: {
      name: entry.name,
      summary: entry.summary,
      description: command.description,
      usage,
      options: encodeOptions({ ...command.options, ...GLOBAL_OPTIONS }),
      examples: command.examples,
    },
    text: (style) =>
      [
        `${style.bold(`claw ${entry.name}`)}: ${entry.summary}`,
        `${style.bold('Usage:')} ${usage}`,
        command.description,
        section(style, 'Options', optionRows(command.options)),
        section(style, 'Options for every command', optionRows(GLOBAL_OPTIONS)),
        section(
          style,
          'Examples',
          command.examples.map((example) => [example, '']),
        ),
      ]
        .filter((part) => part !== '')
        .join('\n\n'),
  };
}

type Row = readonly [left: string, right: string];

function section(style: Style, title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const width = Math.max(...rows.map(([left]) => left.length));
  const lines = rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd());
  return [style.bold(`${title}:`), ...lines].join('\n');
}

function toRows(entries: readonly ListedEntry[]): Row[] {
  return entries.map(({ name, summary }) => [name, summary]);
}

function optionRows(specs: OptionSpecs): Row[] {
  return Object.entries(specs).map(([name, spec]) => [signature(name, spec), spec.summary]);
}

function signature(name: string, spec: OptionSpec): string {
  if (spec.kind !== 'flag') return `--${name} ${spec.value}`;
  return spec.short === undefined ? `--${name}` : `-${spec.short}, --${name}`;
}

function encodeEntry({ name, summary, group }: ListedEntry): JsonObject {
  return { name, summary, group };
}

function encodeOptions(specs: OptionSpecs): JsonObject[] {
  return Object.entries(specs).map(([name, spec]) => ({
    name: `--${name}`,
    value: spec.kind === 'flag' ? null : spec.value,
    summary: spec.summary,
  }));
}
