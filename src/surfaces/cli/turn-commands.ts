import type { CommandEntry } from './program/command-entry.ts';

/** Work done from scripts: one call, one prompt, or several. */
export const TURN_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'bootstrap',
    summary: 'Route a prompt, take one turn with it and write a transcript',
    group: 'Runs',
    load: async () => (await import('./commands/bootstrap.ts')).bootstrap,
  },
  {
    name: 'exec-command',
    summary: 'Execute a command of this program, of a skill or of a plugin',
    group: 'Runs',
    load: async () => (await import('./commands/exec-command.ts')).execCommand,
  },
  {
    name: 'exec-tool',
    summary: 'Call one tool, without a model',
    group: 'Runs',
    load: async () => (await import('./commands/exec-tool.ts')).execTool,
  },
  {
    name: 'turn-loop',
    summary: 'Send a prompt, go on for some turns, within a time and a budget',
    group: 'Runs',
    load: async () => (await import('./commands/turn-loop.ts')).turnLoop,
  },
];
