import type { CommandEntry } from '../../program/command-entry.ts';

/** Whom nothing may be sent to any more. */
export const COMMS_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'comms suppressions',
    summary: 'List recipients that get no more messages',
    group: 'Operate',
    load: async () => (await import('./comms-suppressions.ts')).commsSuppressions,
  },
  {
    name: 'comms lift',
    summary: 'Let a recipient be written to again',
    group: 'Operate',
    load: async () => (await import('./comms-lift.ts')).commsLift,
  },
];
