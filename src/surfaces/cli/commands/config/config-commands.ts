import type { CommandEntry } from '../../program/command-entry.ts';

/** The runtime at a glance, and its configuration. */
export const CONFIG_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'status',
    summary: 'Show whether a server runs, and what waits for somebody',
    group: 'Operate',
    load: async () => (await import('../status.ts')).status,
  },
  {
    name: 'observability',
    summary: 'What was refused and what failed of late',
    group: 'Operate',
    load: async () => (await import('../observability/observability.ts')).observability,
  },
  {
    name: 'config get',
    summary: 'Show the configuration, or one field of it',
    group: 'Operate',
    load: async () => (await import('./config-get.ts')).configGet,
  },
  {
    name: 'config set',
    summary: 'Change a field of the configuration',
    group: 'Operate',
    load: async () => (await import('./config-set.ts')).configSet,
  },
  {
    name: 'config unset',
    summary: 'Remove a field, so that its default holds again',
    group: 'Operate',
    load: async () => (await import('./config-unset.ts')).configUnset,
  },
  {
    name: 'config validate',
    summary: 'Check a configuration file',
    group: 'Operate',
    load: async () => (await import('./config-validate.ts')).configValidate,
  },
];
