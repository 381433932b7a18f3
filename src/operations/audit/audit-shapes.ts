import { z } from 'zod';
import { runId } from '../fields.ts';

/** What a check of the records found, as `/api/admin` tells it. */
const auditFault = z.object({
  where: z.enum(['database', 'audit_file', 'both']).meta({
    description: '`both`: they differ, and nothing tells which was altered.',
  }),
  run_id: z.string().nullable(),
  seq: z.int().nullable(),
  reason: z.string(),
  file: z.string().nullable(),
  line: z.int().nullable(),
});

export const auditVerdict = z.object({
  verified: z.boolean().meta({ description: 'Everything was checked and nothing is altered.' }),
  complete: z.boolean().meta({ description: 'False when the time was over before the end.' }),
  runs_count: z.int(),
  pruned_runs_count: z.int().meta({
    description:
      'Runs whose oldest events are no longer kept; the rest of their events was checked.',
  }),
  events_count: z.int(),
  audit_files_count: z.int(),
  audit_lines_count: z.int(),
  pending_runs_count: z.int().meta({
    description:
      'Runs whose newest events have no audit lines yet: they are written behind the log.',
  }),
  accepted_losses_count: z.int().meta({
    description: 'Runs whose lines the database does not have, which the operator has accepted.',
  }),
  signatures: z
    .object({
      heads_count: z.int(),
      signed_lines_count: z.int(),
      unsigned_lines_count: z.int().meta({
        description: 'Lines from before there were signatures, or that wait for the next head.',
      }),
      signed_through: z.string().nullable().meta({ description: 'The time of the newest head.' }),
      fingerprints: z.array(z.string()).meta({ description: 'Of the keys that signed.' }),
    })
    .nullable()
    .meta({
      description: 'Of the audit files. Null when one run was asked for, or time was over.',
    }),
  node_id: z.string().nullable().meta({
    description: 'This node, where several share a database.',
  }),
  held_elsewhere: z.array(z.object({ node_id: z.string(), runs_count: z.int() })).meta({
    description:
      'Runs whose audit lines and bundles another node holds: they are compared only there.',
  }),
  faults_count: z.int(),
  first_fault: auditFault.nullable(),
  faults: z.array(auditFault).meta({ description: 'The first 100.' }),
});

export const verifyBody = z.strictObject({ run_id: runId.optional() }).nullable();

export type AuditVerdictShape = z.infer<typeof auditVerdict>;
