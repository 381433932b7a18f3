import { toJsonValue } from '../../../core/json.ts';
import { defineCommand } from '../command.ts';
import { moreLine } from '../layout.ts';
import { withAccess } from '../open-access.ts';
import { namingSession, parseSessionArgument, SESSIONS_READING } from '../open-sessions.ts';
import { DEFAULT_LIMIT, pageOptions } from '../page-options.ts';
import { formatMessage } from '../session-text.ts';

const MAX_LIMIT = 1_000;

export const sessionsMessages = defineCommand({
  usage: 'SESSION [--limit N] [--cursor CURSOR]',
  description:
    'The newest page, oldest message first; the cursor leads to the page before it. Asks the running server, else\n' +
    'reads the database.',
  args: { min: 1, max: 1 },
  options: pageOptions(MAX_LIMIT),
  examples: [
    'claw sessions messages session_01jv8z4q0k6c',
    'claw sessions messages session_01jv8z4q0k6c --limit 200 --output-format json',
  ],
  async run({ args, options }, context) {
    const id = parseSessionArgument(args[0], 'sessions messages');
    const { cursor, limit = DEFAULT_LIMIT } = options;
    return withAccess(context, SESSIONS_READING, async (sessions, via) => ({
      via,
      ...(await namingSession(id, sessions.messages(id, { limit, cursor }))),
    }));
  },
  fields: ({ via, session_id, messages, next_cursor }) => ({
    session_id,
    messages_count: messages.length,
    messages: toJsonValue(messages),
    next_cursor,
    via,
  }),
  text({ messages, next_cursor: next }, style) {
    if (messages.length === 0) return '(no messages)';
    const shown = messages.map((message) => formatMessage(message, style));
    // In front: the page before this one is older.
    return [...moreLine(next, style), ...shown].join('\n\n');
  },
});
