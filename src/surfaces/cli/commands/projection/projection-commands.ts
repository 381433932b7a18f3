import type { CommandEntry } from '../../program/command-entry.ts';

/** Summaries that are kept elsewhere. */
export const PROJECTION_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'projection status',
    summary: 'Show how far summaries are copied to the sink',
    group: 'Operate',
    load: async () => (await import('./projection-status.ts')).projectionStatus,
  },
  {
    name: 'projection rebuild',
    summary: 'Make summaries again from the log',
    group: 'Operate',
    load: async () => (await import('./projection-rebuild.ts')).projectionRebuild,
  },
];
