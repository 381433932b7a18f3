import type { CommandEntry } from '../../program/command-entry.ts';

/** What is off until somebody says so. */
export const SWITCH_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'enable shell',
    summary: 'Let agents run commands, in a sandbox',
    group: 'Decide',
    load: async () => (await import('./enable-shell.ts')).enableShell,
  },
  {
    name: 'enable network',
    summary: 'Let agents send requests to some hosts',
    group: 'Decide',
    load: async () => (await import('./enable-network.ts')).enableNetwork,
  },
  {
    name: 'disable shell',
    summary: 'Let agents run no more commands',
    group: 'Decide',
    load: async () => (await import('./disable-shell.ts')).disableShell,
  },
  {
    name: 'disable network',
    summary: 'Let agents send no more requests, or none to some hosts',
    group: 'Decide',
    load: async () => (await import('./disable-network.ts')).disableNetwork,
  },
];
