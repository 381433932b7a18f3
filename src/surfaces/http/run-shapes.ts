import { z } from 'zod';
import { EVENT_TYPES } from '../../core/events/event.ts';
import { RUN_STATUSES } from '../../core/runs/run.ts';
import { isoDate } from './fields.ts';

/** Runs and their events as every surface of contract 1 shows them. */
const toolExecutionResult = z.object({
  tool: z.string(),
  tool_call_id: z.string(),
  summary: z.string(),
  output: z.string().meta({ description: 'JSON text, or empty.' }),
  error: z.string().meta({ description: 'Empty when the call succeeded.' }),
  arguments: z.unknown(),
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
    payload: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Event', description: 'The `data` of each frame of an event stream.' });

export type RunTraceShape = z.infer<typeof runTrace>;
export type RunSummary = z.infer<typeof runSummary>;
export type RunEvent = z.infer<typeof runEvent>;
