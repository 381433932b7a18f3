import type { CommandEntry } from './program/command-entry.ts';

/** Whether the installation is safe, from others and from its own loss. */
export const SAFETY_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'security check',
    summary: 'Check whether this installation may be opened to the world',
    group: 'Operate',
    load: async () => (await import('./commands/security/security-check.ts')).securityCheck,
  },
  {
    name: 'backup',
    summary: 'Write the whole installation into one verified file, also while it runs',
    group: 'Operate',
    load: async () => (await import('./commands/backup/backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'Put a backup in the place of a state root',
    group: 'Operate',
    load: async () => (await import('./commands/backup/restore.ts')).restore,
  },
];
