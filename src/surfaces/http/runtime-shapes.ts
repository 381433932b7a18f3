import { z } from 'zod';
import { RUN_STATUSES, type RunStatus } from '../../core/runs/run.ts';
import { isoDate } from './fields.ts';
import { schedulerState } from './job-shapes.ts';
import { runSummary, runTrace } from './run-shapes.ts';

const COUNTS = Object.fromEntries(RUN_STATUSES.map((status) => [status, z.int()])) as Record<
  RunStatus,
  z.ZodInt
>;

/** What `/api/admin` says of the runtime itself, its configuration, secrets, agents, mail and records. */
export const status = z
  .object({
    run_count: z.int().meta({ description: 'Of all runs, not only those listed.' }),
    runs: z.array(runSummary).meta({ description: 'Newest first, without traces.' }),
    counts: z.object(COUNTS),
    model: z.object({
      provider: z.string(),
      name: z.string().meta({ description: 'Empty when no model can be used.' }),
    }),
    version: z.string(),
    engine: z.string(),
    started_at: isoDate,
    uptime_seconds: z.int(),
    scheduler: schedulerState,
    queue: z.object({
      queued: z.int(),
      running: z.int(),
      max_queued: z.int(),
      max_concurrent: z.int(),
    }),
    effects: z.object({ unknown: z.int() }),
    approvals: z.object({ pending: z.int().meta({ description: '200 means 200 or more.' }) }),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'Status' });

export const configDocument = z
  .record(z.string(), z.unknown())
  .meta({ id: 'Config', description: 'The configuration by section, without secret values.' });

const fieldErrors = z.array(
  z.object({ path: z.string().meta({ examples: ['server.port'] }), message: z.string() }),
);

export const configSaved = z.object({
  ok: z.literal(true),
  applied: z.array(z.string()).meta({ description: 'Changed, and in force now.' }),
  restart_required: z.array(z.string()).meta({ description: 'Changed; in force after a restart.' }),
  overridden: z
    .array(z.string())
    .meta({ description: 'Changed, but an environment variable or a flag says otherwise.' }),
});

export const configVerdict = z.object({ valid: z.boolean(), field_errors: fieldErrors });

export const secretList = z.object({
  keys: z.array(z.string()).meta({ description: 'Names, sorted.' }),
  secrets: z.array(z.object({ name: z.string(), updated_at: isoDate })),
});

export const secretStored = z.object({ ok: z.literal(true), stored: z.string() });
export const secretRemoved = z.object({ ok: z.literal(true), removed: z.string() });

export const agent = z
  .object({
    agent_id: z.string(),
    name: z.string(),
    role: z.string(),
    model: z.string().nullable().meta({ description: 'Null: the model of the runtime.' }),
    instructions: z.string(),
    created_at: isoDate,
  })
  .meta({ id: 'Agent' });

export const agentList = z.object({ agents: z.array(agent), next_cursor: z.string().nullable() });

export const mailList = z.object({
  agent_id: z.string(),
  mail: z.array(
    z.object({
      mail_id: z.string(),
      from: z.string(),
      to: z.string(),
      subject: z.string(),
      task_id: z.string(),
      body: z.string(),
      run_id: z.string().nullable().meta({ description: 'The run that sent it.' }),
      sent_at: isoDate,
      delivered_at: isoDate.nullable(),
    }),
  ),
});

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

export const tracedRun = z.object({ run_id: z.string(), trace: runTrace });

export type StatusShape = z.infer<typeof status>;
export type ConfigSavedShape = z.infer<typeof configSaved>;
export type ConfigVerdictShape = z.infer<typeof configVerdict>;
export type SecretListShape = z.infer<typeof secretList>;
export type AgentShape = z.infer<typeof agent>;
export type AgentListShape = z.infer<typeof agentList>;
export type MailListShape = z.infer<typeof mailList>;
export type AuditVerdictShape = z.infer<typeof auditVerdict>;
