import type { CommandEntry } from './command-entry.ts';

/** Whether the installation is safe, from others and from its own loss. */
export const SAFETY_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'security check',
    summary: 'Check whether this installation may be opened to the world',
    group: 'Operate',
    load: async () => (await import('./commands/security/security-check.ts')).securityCheck,
  },
];
