import type { CommandEntry } from '../../program/command-entry.ts';

export const OPENCLAW_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'openclaw status',
    summary: 'How the connection to the OpenClaw gateway stands',
    group: 'Operate',
    load: async () => (await import('./openclaw-status.ts')).openclawStatus,
  },
  {
    name: 'openclaw connect',
    summary: 'Try to connect to the OpenClaw gateway now',
    group: 'Operate',
    load: async () => (await import('./openclaw-connect.ts')).openclawConnect,
  },
];
