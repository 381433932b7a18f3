import { z } from 'zod';
import { MAX_MESSAGE_CHARS } from '../../core/chat/chat-request.ts';
import { EVENT_TYPES } from '../../core/events/event.ts';
import { SESSION_ID_PATTERN } from '../../core/ids.ts';
import { RUN_STATUSES } from '../../core/runs/run.ts';
import {
  agentId as agentIdField,
  anyJson,
  integerParam,
  isoDate,
  pageCursor,
  pageLimit,
  projectId,
  runId as runIdField,
  storable,
} from '../fields.ts';

/** Runs and their events as every surface of contract 1 shows them. */
const toolExecutionResult = z.object({
  tool: z.string(),
  tool_call_id: z.string(),
  summary: z.string(),
  output: z.string().meta({ description: 'JSON text, or empty.' }),
  error: z.string().meta({ description: 'Empty when the call succeeded.' }),
  arguments: anyJson,
  duration_ms: z.number(),
  from_cache: z
    .literal(true)
    .optional()
    .meta({ description: 'The same call had been made before, and this is its answer.' }),
});

export const runTrace = z.object({
  tool_execution_results: z.array(toolExecutionResult),
  truncated: z.boolean().optional(),
});

export const runSummary = z.object({
  id: z.string(),
  agent_id: z.string(),
  source: z.string(),
  status: z.enum(RUN_STATUSES),
  output: z.string(),
  artifact_path: z.string(),
  duration_ms: z.number(),
  tool_calls: z.int(),
  provider: z.string(),
  model: z.string(),
  message: z.string(),
  session_id: z.string().optional(),
  project_id: z.string().optional(),
  forked_from: z
    .object({ run_id: z.string(), seq: z.int() })
    .optional()
    .meta({ description: 'The event of another run that this one goes on from.' }),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  stop_reason: z.string().nullable(),
  usage: z.object({
    input_tokens: z.int().nullable(),
    output_tokens: z.int().nullable(),
    cost_usd: z.number().nullable(),
  }),
  created_at: isoDate,
  updated_at: isoDate,
  last_seq: z.int(),
});

export const runEvent = z
  .object({
    event_id: z.string(),
    event_type: z.enum(EVENT_TYPES),
    ts: isoDate,
    run_id: z.string(),
    agent_id: z.string(),
    seq: z.int(),
    actor: z.string(),
    payload: z.record(z.string(), anyJson),
  })
  .meta({ id: 'Event', description: 'The `data` of each frame of an event stream.' });

/** What runs are asked for with. */
const MAX_REASON_CHARS = 500;
const MAX_MODEL_CHARS = 256;
const MODEL_PATTERN = /^[a-z][a-z0-9-]*\/[\x21-\x7e]+$/;
const MAX_STATUSES_CHARS = 128;
const MAX_SOURCE_CHARS = 64;
const MAX_QUERY_CHARS = 200;
const MAX_TAIL_MS = 300_000;
const DEFAULT_TAIL_MS = 15_000;

const agentId = agentIdField.meta({
  description: 'The agent that executes the run.',
  examples: ['agent_default'],
});

const runId = runIdField.meta({
  description: 'The id that creating the run answered with.',
  examples: ['run_01jv8z4q0k6c'],
});

export const sessionId = z
  .string()
  .regex(SESSION_ID_PATTERN, { error: 'must be 1 to 128 letters, digits, _ or -' })
  .meta({ examples: ['session_01jv8z4q0k6c'] });

/** What an agent can be asked: anything that can be stored and is not blank. */
export const askable = (maxChars: number) =>
  storable(maxChars)
    .min(1)
    .refine((text) => text.trim() !== '', { error: 'must not be empty' })
    .meta({ description: 'What the agent is asked to do.' });

export const modelReference = z
  .string()
  .max(MAX_MODEL_CHARS)
  .regex(MODEL_PATTERN, { error: 'must be provider/name' });

const status = z.enum(RUN_STATUSES);

export const runParams = z.strictObject({ run_id: runId });

export const createRunBody = z
  .strictObject({
    agent_id: agentId,
    message: askable(MAX_MESSAGE_CHARS),
    session_id: sessionId.optional().meta({
      description: 'A session of this agent: the run knows what was said there and adds to it.',
    }),
    project_id: projectId.optional().meta({ description: 'What the work counts for.' }),
    model: modelReference.optional().meta({
      description: 'The model of this run alone. Absent: the one of its agent.',
      examples: ['anthropic/claude-sonnet-4-5'],
    }),
  })
  .meta({ examples: [{ agent_id: 'agent_default', message: 'Summarize repository status' }] });

const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, { error: 'must be 1 to 255 visible ASCII characters' })
  .optional();

export const createRunHeaders = z.object({
  'idempotency-key': idempotencyKey.meta({
    description: 'The same key with the same body answers with the first run; another body is 409.',
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

export const steerRunHeaders = z.object({
  'idempotency-key': idempotencyKey.meta({
    description: 'The same key with the same body is one message; another body is 409.',
  }),
});

export const steerRunBody = z
  .strictObject({
    message: askable(MAX_MESSAGE_CHARS).meta({ description: 'What the agent is to know.' }),
  })
  .meta({ examples: [{ message: 'Leave the tests as they are' }] });

export const steerReceipt = z.object({
  id: z.string(),
  seq: z
    .int()
    .optional()
    .meta({ description: 'The event that holds the message. Absent when it was there already.' }),
  idempotent_replay: z.boolean().meta({ description: 'True when this call changed nothing.' }),
});

/** Query values are texts: several are separated by commas. */
const someStatuses = z
  .string()
  .max(MAX_STATUSES_CHARS)
  .refine(areStatuses, { error: `must be one of ${RUN_STATUSES.join(', ')}` })
  .meta({ description: 'One, or several separated by commas.', examples: ['running,waiting'] });

const moment = z.iso.datetime({ offset: true, error: 'must be an RFC 3339 time' });

export const listRunsQuery = z.strictObject({
  status: someStatuses.optional(),
  agent_id: agentId.optional(),
  session_id: sessionId.optional(),
  project_id: projectId.optional(),
  source: storable(MAX_SOURCE_CHARS)
    .min(1)
    .optional()
    .meta({ description: 'Where they came from: `http`, `chat`, `scheduler`, …' }),
  q: storable(MAX_QUERY_CHARS)
    .refine((text) => text.trim() !== '', { error: 'must not be empty' })
    .optional()
    .meta({ description: 'Only those whose message or output says this, in any case.' }),
  from: moment.optional().meta({ description: 'Created then or later.' }),
  to: moment.optional().meta({ description: 'Created before.' }),
  limit: pageLimit,
  cursor: pageCursor().optional(),
});

export const eventsQuery = z.strictObject({
  cursor: integerParam(0, Number.MAX_SAFE_INTEGER).optional().meta({
    description: 'Events with a higher `seq` are sent. Absent or 0: from the oldest that is kept.',
  }),
  tail_ms: integerParam(1, MAX_TAIL_MS)
    .prefault(DEFAULT_TAIL_MS)
    .meta({ description: 'How long to wait for the next event before the stream closes.' }),
});

export const eventsHeaders = z.object({
  'last-event-id': integerParam(0, Number.MAX_SAFE_INTEGER)
    .optional()
    .meta({ description: 'The same as `cursor`, as browsers send it when they reconnect.' }),
});

export const runDetail = runSummary
  .extend({
    trace: runTrace,
  })
  .meta({ id: 'Run' });

export const runList = z.object({
  runs: z.array(runSummary),
  next_cursor: z.string().nullable(),
  /** Absent when all could be read. */
  unreadable_run_ids: z
    .array(z.string())
    .optional()
    .describe('Runs that belong on this page and whose stored rows are damaged.'),
});

export const tracedRunParams = z.strictObject({ run_id: runIdField });

export const tracedRun = z.object({ run_id: z.string(), trace: runTrace });

export type ListRunsQuery = z.infer<typeof listRunsQuery>;
export type RunCreated = z.infer<typeof runCreated>;
export type RunDetail = z.infer<typeof runDetail>;
export type RunList = z.infer<typeof runList>;
export type CancelReceipt = z.infer<typeof cancelReceipt>;
export type SteerReceiptShape = z.infer<typeof steerReceipt>;
export type ToolResultShape = z.infer<typeof toolExecutionResult>;
export type RunTraceShape = z.infer<typeof runTrace>;
export type RunSummary = z.infer<typeof runSummary>;
export type RunEvent = z.infer<typeof runEvent>;

function areStatuses(text: string): boolean {
  const known: readonly string[] = RUN_STATUSES;
  return text.split(',').every((name) => known.includes(name));
}
