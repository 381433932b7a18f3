import type { CommandEntry } from '../../program/command-entry.ts';

/** Showing others, and oneself, that the records are as they were written. */
export const AUDIT_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'audit verify',
    summary: 'Check that no recorded event was altered',
    group: 'Operate',
    load: async () => (await import('./audit-verify.ts')).auditVerify,
  },
  {
    name: 'audit export',
    summary: 'Write the signed record of a run for somebody else to verify',
    group: 'Operate',
    load: async () => (await import('./audit-export.ts')).auditExport,
  },
  {
    name: 'audit key',
    summary: 'Print the public key that audit files are signed with',
    group: 'Operate',
    load: async () => (await import('./audit-key.ts')).auditKey,
  },
];
