import { z } from 'zod';
import { type AnswerShapes, count, time } from './answer-fields.ts';

const directory = z.string().meta({ description: 'the folder that was looked into' });
const usage = { messages_count: count, input_tokens: count, output_tokens: count };

/** Transcripts of the command line. */
export const SESSION_FILE_SHAPES: AnswerShapes = {
  'list-sessions': z.object({
    directory,
    sessions_count: count,
    sessions: z.array(
      z.object({
        session_id: z.string(),
        created_at: time,
        last_modified: time,
        prompt_count: count,
        stopped: z.boolean(),
        id: z.string(),
        path: z.string(),
        updated_at_ms: count,
        message_count: count,
        readable: z
          .boolean()
          .meta({ description: 'false: the file is damaged, only its name is known' }),
      }),
    ),
    truncated: z.boolean().meta({ description: 'there are more than were asked for' }),
  }),
  'load-session': z.object({
    session_id: z.string(),
    loaded: z.boolean(),
    directory,
    path: z.string(),
    ...usage,
    torn_tail: z
      .boolean()
      .meta({ description: 'the last line was cut off by a crash and left out' }),
    created_at: time,
    last_modified: time,
    workspace_root: z.string().nullable(),
    model: z.string().nullable(),
    parent_session_id: z
      .string()
      .nullable()
      .meta({ description: 'the session that it was forked from' }),
    session: z.object({ id: z.string(), path: z.string(), messages: count }),
  }),
  'delete-session': z.object({ session_id: z.string(), deleted: z.boolean(), directory }),
  'flush-transcript': z.object({
    session_id: z.string(),
    path: z.string(),
    flushed: z.boolean(),
    ...usage,
    directory,
  }),
};
