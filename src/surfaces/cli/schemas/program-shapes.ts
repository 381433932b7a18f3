import { z } from 'zod';
import { approval } from '../../../operations/approvals/approval-shapes.ts';
import { auditVerdict } from '../../../operations/audit/audit-shapes.ts';
import { configSaved, configVerdict } from '../../../operations/config/config-shapes.ts';
import { isoDate } from '../../../operations/fields.ts';
import { summary } from '../../../operations/observability/observability-shapes.ts';
import { forkCreated, replay, runDiff } from '../../../operations/runs/replay-shapes.ts';
import { runSummary, runTrace } from '../../../operations/runs/run-shapes.ts';
import { checklist } from '../../../operations/security/security-shapes.ts';
import { signInCode } from '../../../operations/sign-ins/sign-in-shapes.ts';
import { status } from '../../../operations/status/status-shapes.ts';
import { type AnswerShapes, anyObject, count, texts, via } from './answer-fields.ts';

const { error: runError, ...runMembers } = runSummary.shape;
/** `error` is the envelope's own. */
const toldRun = z.object({ ...runMembers, run_error: runError }).meta({ id: 'ToldRun' });
const answered = toldRun.pick({
  agent_id: true,
  status: true,
  stop_reason: true,
  output: true,
  usage: true,
  tool_calls: true,
  provider: true,
  model: true,
  duration_ms: true,
});

const changed = configSaved.omit({ ok: true });
const saved = changed.extend({ field: z.string(), via });
const switched = changed.extend({
  name: z.enum(['shell', 'network']),
  enabled: z.boolean(),
  consequences: texts,
  warnings: texts,
  via,
});
const { started_at: startedAt, uptime_seconds: uptime, queue } = status.shape;

/** Starting, asking and looking at runs. */
const RUN_SHAPES: AnswerShapes = {
  ask: answered.extend({ run_id: z.string(), via, approval_id: z.string().optional() }),
  // An answer, what a slash command said, or nothing after a conversation on a terminal.
  chat: answered
    .extend({
      run_id: z.string(),
      session_id: z.string().nullable(),
      approval_id: z.string(),
      response: z.string(),
      via,
    })
    .partial(),
  'runs list': z.object({
    runs_count: count,
    runs: z.array(toldRun),
    next_cursor: z.string().nullable(),
    via,
  }),
  'runs show': toldRun.extend({ trace: runTrace, open_approval: approval.nullable(), via }),
  'runs watch': toldRun.extend({ events_count: count, via }),
  'runs steer': toldRun.pick({ id: true }).extend({
    seq: count.nullable(),
    idempotent_replay: z.boolean(),
    via,
  }),
  'runs cancel': toldRun.pick({ id: true, status: true }).extend({
    cancel_requested: z.boolean(),
    idempotent_replay: z.boolean(),
    via,
  }),
  'runs replay': replay.extend({ via }),
  'runs fork': forkCreated.extend({ via }),
  'runs diff': runDiff.extend({ via }),
};

const CONFIG_SHAPES: AnswerShapes = {
  'config get': z.object({
    via,
    config: anyObject.optional(),
    field: z.string().optional(),
    value: z.unknown().optional(),
  }),
  'config set': saved,
  'config unset': saved,
  'config validate': configVerdict.extend({ file: z.string(), exists: z.boolean() }),
  'enable shell': switched,
  'enable network': switched,
  'disable shell': switched,
  'disable network': switched,
  'secrets list': z.object({ keys_count: count, keys: texts, via }),
  'secrets set': z.object({ name: z.string(), stored: z.boolean(), via }),
  'secrets delete': z.object({ name: z.string(), deleted: z.boolean(), via }),
  'secrets rotate': z.object({
    rotated: count,
    master_key_from: z.enum(['environment', 'file']),
    next_steps: texts,
    via,
  }),
};

const backedUp = z.object({
  created_at: isoDate,
  made_by: z.string(),
  engine: z.enum(['sqlite', 'postgres']),
  database_version: count.nullable(),
  has_secrets: z.boolean(),
  has_workspace: z.boolean(),
  files_count: count,
  bytes: count,
  sha256: z.string(),
  audit: z.object({ runs_count: count, events_count: count, faults_count: count }).nullable(),
});

/** The installation and its records. */
const CARE_SHAPES: AnswerShapes = {
  init: z.object({
    root: z.string(),
    root_from: z.enum(['flag', 'environment', 'working_directory', 'above']),
    workspace: z.string(),
    created: texts,
    existing: texts,
    warnings: texts,
    next_steps: texts,
  }),
  serve: z.object({
    url: z.string(),
    pid: count,
    root: z.string(),
    model: z.string(),
    storage: z.string(),
    token_file: z.string().nullable(),
    token_variable: z.string().nullable(),
    created: texts,
    warnings: texts,
  }),
  dashboard: signInCode.omit({ code: true }).extend({ opened: z.boolean() }),
  'audit verify': auditVerdict.omit({ complete: true }),
  'audit export': z.object({
    run_id: z.string(),
    events_count: count,
    ended: z.boolean(),
    fingerprint: z.string(),
    file: z.string().nullable(),
    content: z.string().nullable(),
  }),
  'audit key': z.object({
    algorithm: z.literal('ed25519'),
    public_key: z.string(),
    fingerprint: z.string(),
  }),
  recover: z.object({
    way: z.enum(['from_audit', 'accept_loss']),
    lost_runs_count: count,
    settled_runs_count: count,
    settled_events_count: count,
    failures: z.array(z.object({ run_id: z.string(), message: z.string() })),
  }),
  backup: backedUp.extend({ file: z.string(), left_out_count: count, left_out: texts }),
  restore: backedUp.extend({ root: z.string(), file: z.string(), kept: texts }),
  doctor: z.object({
    root: z.string(),
    has_failures: z.boolean(),
    summary: z.object({ total: count, ok: count, warnings: count, failures: count }),
    checks: z.array(
      z.object({
        name: z.string(),
        status: z.enum(['ok', 'warn', 'fail']),
        summary: z.string(),
        fix: z.string().optional(),
      }),
    ),
  }),
  status: status.omit({ runs: true }).extend({
    running: z.boolean(),
    url: z.string().nullable(),
    started_at: startedAt.nullable(),
    uptime_seconds: uptime.nullable(),
    queue: queue.nullable(),
    via,
  }),
  observability: summary.extend({ via }),
  'security check': checklist.extend({ via }),
};

/** What the program says of itself. */
const MANUAL_SHAPES: AnswerShapes = {
  completion: z.object({ shell: z.enum(['bash', 'zsh', 'fish']), script: z.string() }),
  schema: z.object({
    name: z.string().optional(),
    found: z.boolean().optional(),
    schema: anyObject.optional(),
    schemas_count: count.optional(),
    schemas: z.array(z.object({ name: z.string(), file: z.string() })).optional(),
  }),
  version: z.object({
    name: z.string(),
    version: z.string(),
    node_version: z.string(),
    platform: z.string(),
  }),
  help: z.object({
    usage: z.string(),
    commands: z
      .array(z.object({ name: z.string(), summary: z.string(), group: z.string() }))
      .optional(),
    options: z
      .array(z.object({ name: z.string(), value: z.string().nullable(), summary: z.string() }))
      .optional(),
    name: z.string().optional(),
    summary: z.string().optional(),
    description: z.string().optional(),
    examples: texts.optional(),
    exit_status: z.array(z.object({ code: count, meaning: z.string() })).optional(),
    see_also: texts.optional(),
  }),
};

export const PROGRAM_SHAPES: AnswerShapes = {
  ...RUN_SHAPES,
  ...CONFIG_SHAPES,
  ...CARE_SHAPES,
  ...MANUAL_SHAPES,
};
