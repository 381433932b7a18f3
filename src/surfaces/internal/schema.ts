import { z } from 'zod';
import { agentId, isoDate, runId, storable } from '../../operations/fields.ts';
import { frameId, jsonObject, streamCursor, tailMs, threadId } from './fields.ts';

/** The wire shapes of runs in contract 4. */
const MAX_REASON_CHARS = 500;
const MAX_TYPE_CHARS = 128;
const MAX_TIME_CHARS = 64;
const MAX_CLIENT_TOOLS = 64;
const MAX_DESCRIPTION_CHARS = 4096;

export const runParams = z.object({ run_id: runId });
export const threadQuery = z.object({ thread_id: threadId });

/** Whom a request is made for. Read from the headers as they came: one that is sent twice does not count. */
export const principalHeaders = z.object({
  'x-oa-user-id': z.string().optional().meta({
    description: 'An integer. Decides when both are sent. One of the two is needed.',
  }),
  'x-oa-guest-scope': z.string().optional(),
});

const clientTool = z.object({
  name: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{1,64}$/, { error: 'must be 1 to 64 letters, digits, _, . or -' }),
  description: storable(MAX_DESCRIPTION_CHARS).default(''),
  input_schema: jsonObject.optional().meta({ description: 'JSON Schema of its arguments.' }),
});

export const createRunBody = z
  .object({
    thread_id: threadId,
    run_id: runId.optional().meta({
      description: 'Chosen by the caller, so that it can ask again without making a second run.',
    }),
    agent_id: agentId.optional().meta({ description: 'Absent: the default agent.' }),
    auto_finish: z.boolean().default(false).meta({
      description: 'End with the first answer instead of waiting for the next frame.',
    }),
    client_tools: z.array(clientTool).max(MAX_CLIENT_TOOLS).default([]).meta({
      description: 'Tools that the caller carries out itself and answers with tool_result frames.',
    }),
  })
  .meta({ examples: [{ thread_id: 'thread_abc', run_id: 'run_123' }] });

const wireStatus = z.enum(['created', 'running', 'canceling', 'succeeded', 'failed', 'canceled']);

export const runReceipt = z.object({
  runId: z.string(),
  threadId: z.string(),
  agentId: z.string(),
  status: wireStatus,
  latestSeq: z.int(),
  idempotentReplay: z.boolean(),
});

const frameType = storable(MAX_TYPE_CHARS)
  .min(1)
  .meta({
    description:
      'user_message, tool_result, tool_output, finish, complete, run_complete, fail, error, cancel; others are kept ' +
      'and shown on the stream.',
  });

export const frameBody = z
  .preprocess(
    takeAlias,
    z.object({
      thread_id: threadId,
      frame_id: frameId,
      type: frameType,
      payload: jsonObject,
      occurred_at: storable(MAX_TIME_CHARS).nullish(),
    }),
  )
  .meta({
    examples: [
      {
        thread_id: 'thread_abc',
        frame_id: 'frm_001',
        type: 'user_message',
        payload: { text: 'hi' },
      },
    ],
  });

/** Older clients say `frame_type`. */
function takeAlias(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const { type, frame_type: alias } = body as { type?: unknown; frame_type?: unknown };
  return type === undefined && alias !== undefined ? { ...body, type: alias } : body;
}

export const frameReceipt = z.object({
  runId: z.string(),
  frameId: z.string(),
  status: z.literal('accepted'),
  idempotentReplay: z.boolean(),
});

export const cancelBody = z
  .object({
    thread_id: threadId,
    reason: storable(MAX_REASON_CHARS).nullish().meta({ description: 'Kept in the event log.' }),
  })
  .meta({ examples: [{ thread_id: 'thread_abc', reason: 'user requested stop' }] });

export const cancelReceipt = z.object({
  runId: z.string(),
  status: wireStatus,
  cancelRequested: z.boolean().meta({ description: 'False when the run had ended by itself.' }),
  idempotentReplay: z.boolean(),
});

export const snapshot = z
  .object({
    runId: z.string(),
    threadId: z.string(),
    status: wireStatus,
    latestSeq: z.int(),
    updatedAt: isoDate,
    agentId: z.string(),
    createdAt: isoDate,
    startedAt: isoDate.nullable(),
    endedAt: isoDate.nullable(),
    awaitingInput: z
      .boolean()
      .meta({ description: 'Open, and nothing to do until the next frame or an approval.' }),
    autoFinish: z.boolean(),
    output: z.string().nullable().meta({ description: 'The last answer, once it has ended.' }),
    stopReason: z.string().nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    usage: z
      .object({
        turns: z.int(),
        toolCalls: z.int(),
        inputTokens: z.int().nullable(),
        outputTokens: z.int().nullable(),
        costUsd: z.number().nullable(),
      })
      .nullable()
      .meta({ description: 'Of all its turns, once it has ended.' }),
  })
  .meta({ id: 'RunSnapshot' });

export const streamQuery = z.object({
  thread_id: threadId,
  cursor: streamCursor.optional().meta({
    description: 'Events with a higher `seq` are sent. Absent: those that come from now on.',
  }),
  tail_ms: tailMs,
});

export const streamHeaders = principalHeaders.extend({
  'last-event-id': streamCursor.optional().meta({
    description: 'The same as `cursor`, as readers of event streams send it.',
  }),
});

export const streamFrame = z
  .object({
    type: z.enum(['start', 'text-delta', 'tool-call', 'tool-result', 'finish', 'event']),
    runId: z.string(),
  })
  .loose()
  .meta({ id: 'StreamFrame' });

export type RunReceipt = z.infer<typeof runReceipt>;
export type FrameReceipt = z.infer<typeof frameReceipt>;
export type CancelReceipt = z.infer<typeof cancelReceipt>;
export type Snapshot = z.infer<typeof snapshot>;
export type CreateRunBody = z.infer<typeof createRunBody>;
