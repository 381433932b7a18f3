import type { CommandEntry } from '../../program/command-entry.ts';

export const KILL_SWITCH_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'stop-all',
    summary: 'Stop every model and tool call, on every node',
    group: 'Decide',
    load: async () => (await import('./stop-all.ts')).stopAll,
  },
  {
    name: 'resume-all',
    summary: 'Let everything go on after stop-all',
    group: 'Decide',
    load: async () => (await import('./resume-all.ts')).resumeAll,
  },
];
