import { z } from 'zod';
import { EVENT_TYPES } from '../../core/events/event.ts';
import { RUN_STATUSES } from '../../core/runs/run.ts';
import {
  agentId as agentIdField,
  integerParam,
  isoDate,
  pageCursor,
  pageLimit,
  runId as runIdField,
  storable,
} from '../http/fields.ts';

/** The wire shapes of contract 1. What is validated here is what `/openapi.json` says. */
const MAX_MESSAGE_CHARS = 256 * 1024;
const MAX_REASON_CHARS = 500;
const MAX_CURSOR_CHARS = 256;
export const MAX_TAIL_MS = 300_000;
export const DEFAULT_TAIL_MS = 15_000;

const agentId = agentIdField.meta({
  description: 'The agent that executes the run.',
  examples: ['agent_default'],
});

const runId = runIdField.meta({
  description: 'The id that creating the run answered with.',
  examples: ['run_01jv8z4q0k6c'],
});

const status = z.enum(RUN_STATUSES);

export const runParams = z.strictObject({ run_id: runId });

export const createRunBody = z
  .strictObject({
    agent_id: agentId,
    message: storable(MAX_MESSAGE_CHARS)
      .min(1)
      .refine((text) => text.trim() !== '', { error: 'must not be empty' })
      .meta({ description: 'What the agent is asked to do.' }),
  })
  .meta({ examples: [{ agent_id: 'agent_default', message: 'Summarize repository status' }] });

export const createRunHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, { error: 'must be 1 to 255 visible ASCII characters' })
    .optional()
    .meta({
      description:
        'The same key with the same body answers with the first run; another body is 409.',
    }),
});

export const runCreated = z
  .object({ id: z.string(), status: z.literal('queued') })
  .meta({ examples: [{ id: 'run_123', status: 'queued' }] });

export const cancelRunBody = z
  .strictObject({
    reason: storable(MAX_REASON_CHARS).optional().meta({ description: 'Kept in the event log.' }),
  })
  .nullable()
  .meta({ examples: [{ reason: 'no longer needed' }] });

export const cancelReceipt = z.object({
  id: z.string(),
  status,
  cancel_requested: z.boolean().meta({ description: 'False when the run had ended by itself.' }),
  idempotent_replay: z.boolean().meta({ description: 'True when this call changed nothing.' }),
});

export const listRunsQuery = z.strictObject({
  status: status.optional(),
  agent_id: agentId.optional(),
  limit: pageLimit,
  cursor: pageCursor(MAX_CURSOR_CHARS).optional(),
});

export const eventsQuery = z.strictObject({
  cursor: integerParam(0, Number.MAX_SAFE_INTEGER)
    .optional()
    .meta({ description: 'Events with a higher `seq` are sent. Absent: from the beginning.' }),
  tail_ms: integerParam(1, MAX_TAIL_MS)
    .prefault(DEFAULT_TAIL_MS)
    .meta({ description: 'How long to wait for the next event before the stream closes.' }),
});

export const eventsHeaders = z.object({
  'last-event-id': integerParam(0, Number.MAX_SAFE_INTEGER)
    .optional()
    .meta({ description: 'The same as `cursor`, as browsers send it when they reconnect.' }),
});

const toolExecutionResult = z.object({
  tool: z.string(),
  tool_call_id: z.string(),
  summary: z.string(),
  output: z.string().meta({ description: 'JSON text, or empty.' }),
  error: z.string().meta({ description: 'Empty when the call succeeded.' }),
  arguments: z.unknown(),
  duration_ms: z.number(),
});

export const runSummary = z.object({
  id: z.string(),
  agent_id: z.string(),
  source: z.string(),
  status,
  output: z.string(),
  artifact_path: z.string(),
  duration_ms: z.number(),
  tool_calls: z.int(),
  provider: z.string(),
  model: z.string(),
  message: z.string(),
  session_id: z.string().optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  stop_reason: z.string().nullable(),
  usage: z.object({
    input_tokens: z.int(),
    output_tokens: z.int(),
    cost_usd: z.number().nullable(),
  }),
  created_at: isoDate,
  updated_at: isoDate,
  last_seq: z.int(),
});

export const runDetail = runSummary
  .extend({
    trace: z.object({
      tool_execution_results: z.array(toolExecutionResult),
      truncated: z.boolean().optional(),
    }),
  })
  .meta({ id: 'Run' });

export const runList = z.object({ runs: z.array(runSummary), next_cursor: z.string().nullable() });

export const runEvent = z
  .object({
    event_id: z.string(),
    event_type: z.enum(EVENT_TYPES),
    ts: isoDate,
    run_id: z.string(),
    agent_id: z.string(),
    seq: z.int(),
    actor: z.string(),
    payload: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Event', description: 'The `data` of each frame of an event stream.' });

export const health = z.object({ ok: z.literal(true) });

export type RunCreated = z.infer<typeof runCreated>;
export type RunSummary = z.infer<typeof runSummary>;
export type RunDetail = z.infer<typeof runDetail>;
export type RunList = z.infer<typeof runList>;
export type RunEvent = z.infer<typeof runEvent>;
export type CancelReceipt = z.infer<typeof cancelReceipt>;
