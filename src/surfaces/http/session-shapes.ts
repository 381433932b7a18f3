import { z } from 'zod';
import { isoDate } from './fields.ts';

/** Conversations as `/api/admin` shows them. */
export const session = z
  .object({
    session_id: z.string(),
    agent_id: z.string(),
    channel: z.string(),
    user_id: z.string(),
    room_id: z.string(),
    title: z.string().meta({ description: 'The beginning of its first message.' }),
    message_count: z.int(),
    last_exchange: z.int().meta({ description: 'The number of its newest exchange.' }),
    forked_from: z.string().nullable(),
    created_at: isoDate,
    updated_at: isoDate,
    closed_at: isoDate.nullable(),
  })
  .meta({ id: 'Session' });

export const sessionList = z.object({
  sessions: z.array(session),
  next_cursor: z.string().nullable(),
});

export const sessionMessage = z
  .object({
    role: z.enum(['system', 'user', 'assistant', 'tool']),
    content: z.string().meta({ description: 'Text; of a tool, JSON text.' }),
    ts: isoDate,
    exchange: z.int().meta({ description: 'One message and all that came of it.' }),
    run_id: z.string().optional(),
    tool_name: z.string().optional(),
    tool_call_id: z.string().optional(),
    status: z
      .enum(['failed', 'cancelled'])
      .optional()
      .meta({ description: 'How the run ended, when it did not end well.' }),
  })
  .meta({ id: 'SessionMessage' });

export const messageList = z.object({
  session_id: z.string(),
  messages: z.array(sessionMessage),
  next_cursor: z.string().nullable(),
});

export const compactedSession = z.object({
  session_id: z.string(),
  folded_messages: z
    .int()
    .meta({ description: 'How many messages became part of the summary by this.' }),
  summary: z
    .string()
    .meta({ description: 'What stands for them and all before them; empty before the first.' }),
});

export type SessionShape = z.infer<typeof session>;
export type SessionListShape = z.infer<typeof sessionList>;
export type SessionMessageShape = z.infer<typeof sessionMessage>;
export type MessageListShape = z.infer<typeof messageList>;
export type CompactedSessionShape = z.infer<typeof compactedSession>;
