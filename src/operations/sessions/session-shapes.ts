import { z } from 'zod';
import { PLACE_NAME_PATTERN } from '../../core/chat/place-name.ts';
import { SESSION_ID_PATTERN } from '../../core/ids.ts';
import { RUN_STATUSES } from '../../core/runs/run.ts';
import { MAX_TOLD_CHARS, MAX_TOLD_MESSAGES } from '../../core/sessions/continue-session.ts';
import { SESSION_STATES } from '../../core/sessions/session-glance.ts';
import { agentId, integerParam, isoDate, pageCursor, storable } from '../fields.ts';

/** Conversations as `/api/admin` shows them, and what it is asked of them. */
export const session = z
  .object({
    session_id: z.string(),
    agent_id: z.string(),
    channel: z.string(),
    user_id: z.string(),
    room_id: z.string(),
    title: z.string().meta({
      description: 'As somebody named it, else the beginning of its first message.',
    }),
    message_count: z.int(),
    last_exchange: z.int().meta({ description: 'The number of its newest exchange.' }),
    forked_from: z.string().nullable(),
    created_at: isoDate,
    updated_at: isoDate,
    closed_at: isoDate.nullable(),
  })
  .meta({ id: 'Session' });

export const seenSession = session
  .extend({
    state: z.enum(SESSION_STATES).meta({
      description:
        'What goes on in it: `working` on a run, `waiting` for an answer to `approval_id`; else how its newest run ended. ' +
        '`idle` before the first, and while a thread rests.',
    }),
    run: z
      .object({ id: z.string(), status: z.enum(RUN_STATUSES) })
      .nullable()
      .meta({ description: 'The run that goes on, else the newest that ended.' }),
    approval_id: z.string().nullable(),
    last_message: z
      .object({ role: z.enum(['user', 'assistant']), text: z.string(), ts: isoDate })
      .nullable()
      .meta({ description: 'One line of the newest message of a person or the agent.' }),
  })
  .meta({ id: 'SeenSession' });

export const listedSession = seenSession.extend({
  match: z
    .object({
      exchange: z.int(),
      role: z.enum(['user', 'assistant']),
      excerpt: z.string(),
      ts: isoDate,
    })
    .nullable()
    .meta({ description: 'Where it says `q`; null without `q`, and when only its title does.' }),
});

export const sessionList = z.object({
  sessions: z.array(listedSession),
  next_cursor: z.string().nullable(),
});

const sessionMessage = z
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

const MAX_PLACE_CHARS = 256;
const MAX_QUERY_CHARS = 200;
const MAX_GIVEN_TITLE_CHARS = 200;
const MAX_SESSIONS = 500;
const DEFAULT_SESSIONS = 50;
const MAX_MESSAGES = 1_000;
const DEFAULT_MESSAGES = 200;

const sessionId = z
  .string()
  .regex(SESSION_ID_PATTERN, { error: 'must be 1 to 128 letters, digits, _ or -' })
  .meta({ examples: ['session_01jv8z4q0k6c'] });

const cursor = pageCursor().optional();

export const sessionParams = z.strictObject({ session_id: sessionId });

export const listSessionsQuery = z.strictObject({
  agent_id: agentId.optional(),
  user_id: storable(MAX_PLACE_CHARS).optional(),
  room_id: storable(MAX_PLACE_CHARS).optional(),
  channel: storable(MAX_PLACE_CHARS).optional(),
  include_closed: z.enum(['true', 'false']).optional(),
  q: storable(MAX_QUERY_CHARS)
    .refine((text) => text.trim() !== '', { error: 'must not be empty' })
    .optional()
    .meta({ description: 'Only those whose title or messages say this, in any case.' }),
  limit: integerParam(1, MAX_SESSIONS).prefault(DEFAULT_SESSIONS),
  cursor,
});

export const listMessagesQuery = z.strictObject({
  limit: integerParam(1, MAX_MESSAGES).prefault(DEFAULT_MESSAGES),
  cursor,
});

const placeName = z.string().regex(PLACE_NAME_PATTERN, {
  error: 'must be 1 to 128 characters, without control characters, /, \\ or ..',
});

export const openSessionBody = z.strictObject({
  agent_id: agentId,
  channel: placeName,
  user_id: placeName,
  room_id: placeName,
  messages: z
    .array(
      z.strictObject({
        role: z.enum(['user', 'assistant']),
        // Counted in characters, of which some are two units long.
        content: storable(2 * MAX_TOLD_CHARS),
      }),
    )
    .max(MAX_TOLD_MESSAGES)
    .default([])
    .meta({ description: 'What was said so far, oldest first.' }),
});

export const updateSessionBody = z.strictObject({
  title: storable(MAX_GIVEN_TITLE_CHARS)
    .refine((text) => text.trim() !== '', { error: 'must not be empty' })
    .meta({ description: 'Kept as one line of at most 80 characters.' }),
});

export const forkSessionBody = z
  .strictObject({
    through_exchange: z
      .int({ error: 'must be an integer' })
      .min(0)
      .optional()
      .meta({ description: 'The last exchange to take along. Absent: all.' }),
    session_id: sessionId
      .optional()
      .meta({ description: 'The id of the new one; made when absent.' }),
  })
  .nullable();

export const nothing = z.strictObject({}).nullable();

export type SessionShape = z.infer<typeof session>;
export type SeenSessionShape = z.infer<typeof seenSession>;
export type ListedSessionShape = z.infer<typeof listedSession>;
export type SessionListShape = z.infer<typeof sessionList>;
export type SessionMessageShape = z.infer<typeof sessionMessage>;
export type MessageListShape = z.infer<typeof messageList>;
export type CompactedSessionShape = z.infer<typeof compactedSession>;
export type SessionQueryShape = z.infer<typeof listSessionsQuery>;
