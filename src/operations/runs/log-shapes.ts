import { z } from 'zod';
import { typesQuery } from '../events/event-shapes.ts';
import { anyJson, integerParam, runId } from '../fields.ts';
import { runEvent } from './run-shapes.ts';

const MAX_TURN = 1_000_000;
const MAX_LIMIT = 1_000;
const DEFAULT_LIMIT = 200;

export const logQuery = typesQuery.extend({
  after: integerParam(0, Number.MAX_SAFE_INTEGER).prefault(0).meta({
    description: 'Events with a higher `seq`. 0: from the oldest that is kept.',
  }),
  limit: integerParam(1, MAX_LIMIT).prefault(DEFAULT_LIMIT),
});

export const eventPage = z
  .object({
    run_id: z.string(),
    events: z.array(runEvent),
    through_seq: z.int().meta({
      description:
        'How far the log was read: the `after` of the next page, the `cursor` of a stream.',
    }),
    has_more: z.boolean().meta({ description: 'Whether there is more by now.' }),
  })
  .meta({ id: 'EventPage' });

export const turnParams = z.strictObject({ run_id: runId, turn: integerParam(1, MAX_TURN) });

const promptMessage = z.object({
  role: z.enum(['user', 'assistant', 'tool']),
  text: z.string(),
  tool_calls: z
    .array(z.object({ tool_call_id: z.string(), tool: z.string(), arguments: anyJson }))
    .optional()
    .meta({ description: 'Of the assistant: what it asked for.' }),
  tool: z.string().optional().meta({ description: 'Of a tool: its name.' }),
  tool_call_id: z.string().optional(),
  ok: z.boolean().optional(),
});

export const turnPrompt = z
  .object({
    run_id: z.string(),
    turn: z.int(),
    seq: z.int().meta({ description: 'The `model.requested` of its last attempt.' }),
    provider: z.string(),
    model: z.string(),
    mode: z.string(),
    system: z.string(),
    messages: z.array(promptMessage),
    tools_offered: z.int(),
    tool_names: z.array(z.string()).meta({
      description:
        'Those that were offered. Empty for runs of releases that kept their number only.',
    }),
  })
  .meta({ id: 'TurnPrompt' });

/** The bytes of a file, as they come. */
export const bundleBytes = z
  .unknown()
  .meta({ type: 'string', format: 'binary' }) as unknown as z.ZodType<AsyncIterable<Uint8Array>>;

export type TurnPromptShape = z.infer<typeof turnPrompt>;
export type PromptMessageShape = z.infer<typeof promptMessage>;
