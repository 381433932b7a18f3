import type { Command } from './command.ts';

/** A command before it is loaded: enough for the list of commands, and the way to the rest. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly group: CommandGroup;
  load(): Promise<Command>;
}

export type CommandGroup = 'Start here' | 'Runs' | 'Operate' | 'This program';

/** In the order of the help. Each command is a chunk of its own: one that is not asked for costs nothing. */
export const COMMAND_TABLE: readonly CommandEntry[] = [
  {
    name: 'init',
    summary: 'Create the state root: config, token, workspace',
    group: 'Start here',
    load: async () => (await import('./commands/init.ts')).init,
  },
  {
    name: 'serve',
    summary: 'Start the server',
    group: 'Start here',
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  {
    name: 'ask',
    summary: 'Give an agent a message and print its answer',
    group: 'Start here',
    load: async () => (await import('./commands/ask.ts')).ask,
  },
  {
    name: 'runs list',
    summary: 'List runs, newest first',
    group: 'Runs',
    load: async () => (await import('./commands/runs-list.ts')).runsList,
  },
  {
    name: 'runs show',
    summary: 'Show a run: status, answer, tools it used',
    group: 'Runs',
    load: async () => (await import('./commands/runs-show.ts')).runsShow,
  },
  {
    name: 'runs watch',
    summary: 'Follow a run until it ends',
    group: 'Runs',
    load: async () => (await import('./commands/runs-watch.ts')).runsWatch,
  },
  {
    name: 'runs cancel',
    summary: 'Cancel a run',
    group: 'Runs',
    load: async () => (await import('./commands/runs-cancel.ts')).runsCancel,
  },
  {
    name: 'audit verify',
    summary: 'Check that no recorded event was altered',
    group: 'Operate',
    load: async () => (await import('./commands/audit-verify.ts')).auditVerify,
  },
  {
    name: 'doctor',
    summary: 'Check this machine and the state root, with a fix for each finding',
    group: 'Operate',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'version',
    summary: 'Print the version',
    group: 'This program',
    load: async () => (await import('./commands/version.ts')).version,
  },
];

/** Not a command of its own: it reads this table, and works as `--help` after any command too. */
export const HELP_ENTRY = {
  name: 'help',
  summary: 'Explain a command',
  group: 'This program',
} as const;

/** `list` … of `runs`; empty for a word that begins no command. */
export function listSubcommands(word: string): CommandEntry[] {
  return COMMAND_TABLE.filter(({ name }) => name.startsWith(`${word} `));
}

export function findEntry(name: string): CommandEntry | undefined {
  return COMMAND_TABLE.find((entry) => entry.name === name);
}
