import type { JsonObject } from '../../../core/json.ts';
import type { Style } from '../print/style.ts';
import type { Command, OptionSpec, OptionSpecs } from './command.ts';
import type { CommandEntry } from './command-entry.ts';
import { COMMAND_TABLE, HELP_ENTRY } from './command-table.ts';
import { GLOBAL_OPTIONS } from './global-options.ts';

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

/** Laid out as a page of a manual. */
export function explainCommand(entry: CommandEntry, command: Command): Help {
  const usage = `claw ${entry.name} ${command.usage}`.trimEnd();
  const related = findRelated(entry);
  return {
    fields: {
      name: entry.name,
      summary: entry.summary,
      description: command.description,
      usage,
      options: encodeOptions({ ...command.options, ...GLOBAL_OPTIONS }),
      examples: command.examples,
      exit_status: EXIT_STATUS.map(([code, meaning]) => ({ code: Number(code), meaning })),
      see_also: related,
    },
    text: (style) =>
      [
        page(style, 'NAME', [`claw ${entry.name} - ${entry.summary}`]),
        page(style, 'SYNOPSIS', [usage]),
        page(style, 'DESCRIPTION', command.description.split('\n')),
        page(style, 'OPTIONS', align(optionRows(command.options))),
        page(style, 'OPTIONS FOR EVERY COMMAND', align(optionRows(GLOBAL_OPTIONS))),
        page(style, 'EXAMPLES', command.examples),
        page(style, 'EXIT STATUS', align(EXIT_STATUS)),
        page(style, 'SEE ALSO', related.length === 0 ? [] : [related.join(', ')]),
      ]
        .filter((part) => part !== '')
        .join('\n\n'),
  };
}

const EXIT_STATUS: readonly Row[] = [
  ['0', 'done'],
  ['1', 'an error, or something was not found; in JSON also a command line that can not be read'],
  ['2', 'out of time; in text also a command line that can not be read'],
];

const MAX_RELATED = 6;

/** Its siblings; for a command without any, those of the same group. */
function findRelated({ name, group }: CommandEntry): string[] {
  const parent = name.slice(0, name.lastIndexOf(' ') + 1);
  const siblings = COMMAND_TABLE.filter((entry) =>
    parent === '' ? entry.group === group : entry.name.startsWith(parent),
  );
  return siblings
    .filter((entry) => entry.name !== name)
    .slice(0, MAX_RELATED)
    .map((entry) => `claw ${entry.name}`);
}

function page(style: Style, title: string, lines: readonly string[]): string {
  if (lines.join('') === '') return '';
  return [style.bold(title), ...lines.map((line) => `  ${line}`.trimEnd())].join('\n');
}

type Row = readonly [left: string, right: string];

function section(style: Style, title: string, rows: readonly Row[]): string {
  return page(style, `${title}:`, align(rows));
}

function align(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `${left.padEnd(width)}  ${right}`.trimEnd());
}

function toRows(entries: readonly ListedEntry[]): Row[] {
  return entries.map(({ name, summary }) => [name, summary]);
}

function optionRows(specs: OptionSpecs): Row[] {
  return Object.entries(specs).map(([name, spec]) => [signature(name, spec), spec.summary]);
}

function signature(name: string, spec: OptionSpec): string {
  const short = 'short' in spec && spec.short !== undefined ? `-${spec.short}, ` : '';
  return spec.kind === 'flag' ? `${short}--${name}` : `${short}--${name} ${spec.value}`;
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
