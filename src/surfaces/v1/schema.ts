import { z } from 'zod';
import { MAX_MESSAGE_CHARS } from '../../core/chat/chat-request.ts';
import { SESSION_ID_PATTERN } from '../../core/ids.ts';
import { RUN_STATUSES } from '../../core/runs/run.ts';
import {
  agentId as agentIdField,
  integerParam,
  pageCursor,
  pageLimit,
  runId as runIdField,
  storable,
} from '../http/fields.ts';
import { runSummary, runTrace } from '../http/run-shapes.ts';

/** The wire shapes of contract 1. What is validated here is what `/openapi.json` says. */
const MAX_REASON_CHARS = 500;
const MAX_CURSOR_CHARS = 256;
const MAX_MODEL_CHARS = 256;
const MODEL_PATTERN = /^[a-z][a-z0-9-]*\/[\x21-\x7e]+$/;
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

const status = z.enum(RUN_STATUSES);

export const runParams = z.strictObject({ run_id: runId });

export const createRunBody = z
  .strictObject({
    agent_id: agentId,
    message: askable(MAX_MESSAGE_CHARS),
    session_id: sessionId.optional().meta({
      description: 'A session of this agent: the run knows what was said there and adds to it.',
    }),
    model: z
      .string()
      .max(MAX_MODEL_CHARS)
      .regex(MODEL_PATTERN, { error: 'must be provider/name' })
      .optional()
      .meta({
        description: 'The model of this run alone. Absent: the one of its agent.',
        examples: ['anthropic/claude-sonnet-4-5'],
      }),
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
  session_id: sessionId.optional(),
  limit: pageLimit,
  cursor: pageCursor(MAX_CURSOR_CHARS).optional(),
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

export const health = z.object({ ok: z.literal(true) });

export const welcome = z.object({
  service: z.string(),
  docs: z.string(),
  openapi: z.string(),
  health: z.string(),
  api: z.string(),
  sign_in: z.string(),
});

export type RunCreated = z.infer<typeof runCreated>;
export type RunDetail = z.infer<typeof runDetail>;
export type RunList = z.infer<typeof runList>;
export type CancelReceipt = z.infer<typeof cancelReceipt>;
