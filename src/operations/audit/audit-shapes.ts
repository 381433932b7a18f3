import { z } from 'zod';
import { eventTypes } from '../events/event-shapes.ts';
import {
  agentId,
  anyJson,
  isoDate,
  momentParam,
  pageCursor,
  pageLimit,
  runId,
  storable,
} from '../fields.ts';

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

const MAX_SEARCH_CHARS = 200;

const filters = {
  since: momentParam.optional().meta({ description: 'From this time on.' }),
  until: momentParam.optional().meta({ description: 'Before this time.' }),
  types: eventTypes.optional(),
  agent_id: agentId.optional(),
  run_id: runId.optional(),
  q: storable(MAX_SEARCH_CHARS)
    .min(1)
    .optional()
    .meta({ description: 'Part of what an event says, of its type or of an id, in any case.' }),
};

export const exportQuery = z.strictObject(filters);

export const entryQuery = z.strictObject({
  ...filters,
  limit: pageLimit,
  cursor: pageCursor().optional(),
});

const auditEntry = z.object({
  event_id: z.string(),
  event_type: z.string().meta({ examples: ['tool.call'] }),
  ts: isoDate,
  run_id: z.string(),
  agent_id: z.string(),
  actor: z.string().meta({ examples: ['system'] }),
  seq: z.int(),
  payload: z.record(z.string(), anyJson),
  redactions: z.array(z.string()).meta({ description: 'Where secrets were struck out.' }),
  prev_hash: z.string(),
  hash: z.string(),
});

export const entryPage = z.object({
  entries: z.array(auditEntry),
  next_cursor: z.string().nullable().meta({
    description: 'Null: nothing older fits. A page may be short and there is more behind it.',
  }),
});

/** Lines as they stand in audit files. */
export const exportedLines = z.custom<AsyncIterable<Uint8Array>>();

export const verificationQuery = z.strictObject({ run_id: runId.optional() });

export const verificationStep = z.union([
  z.object({
    runs_count: z.int(),
    events_count: z.int(),
    total_runs_count: z.int().meta({ description: 'That there were at the beginning.' }),
  }),
  auditVerdict,
]);

export type EntryQueryShape = z.infer<typeof exportQuery>;
export type EntryPageShape = z.infer<typeof entryPage>;
