import type { CommandSchema } from './command-schema.ts';
import { count, described, flag, list, object, orNull, text, time } from './json-schema.ts';

const directory = described(text, 'the folder that was looked into');
const usage = { messages_count: count, input_tokens: count, output_tokens: count };

/** Transcripts of the command line. */
export const SESSION_FILE_SCHEMAS: Readonly<Record<string, CommandSchema>> = {
  'list-sessions': {
    fields: {
      directory,
      sessions_count: count,
      sessions: list(
        object({
          session_id: text,
          created_at: time,
          last_modified: time,
          prompt_count: count,
          stopped: flag,
          id: text,
          path: text,
          updated_at_ms: count,
          message_count: count,
          readable: described(flag, 'false: the file is damaged, only its name is known'),
        }),
      ),
      truncated: described(flag, 'there are more than were asked for'),
    },
  },
  'load-session': {
    fields: {
      session_id: text,
      loaded: flag,
      directory,
      path: text,
      ...usage,
      torn_tail: described(flag, 'the last line was cut off by a crash and left out'),
      created_at: time,
      last_modified: time,
      workspace_root: orNull(text),
      model: orNull(text),
      parent_session_id: described(orNull(text), 'the session that it was forked from'),
      session: object({ id: text, path: text, messages: count }),
    },
  },
  'delete-session': { fields: { session_id: text, deleted: flag, directory } },
  'flush-transcript': {
    fields: { session_id: text, path: text, flushed: flag, ...usage, directory },
  },
};
