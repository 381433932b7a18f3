import { toJsonValue } from '../../../../core/json.ts';
import { listMessages } from '../../../../operations/sessions/sessions.ts';
import { askSessions, namingSession } from '../../ask/ask-sessions.ts';
import { DEFAULT_LIMIT, pageOptions } from '../../page-options.ts';
import { moreLine } from '../../print/layout.ts';
import { defineCommand } from '../../program/command.ts';
import { parseSessionArgument } from './session-argument.ts';
import { formatMessage } from './session-text.ts';

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
    const input = { params: { session_id: id }, query: { limit, cursor } };
    return namingSession(id, askSessions(context, listMessages, input));
  },
  fields: ({ via, answer: { session_id, messages, next_cursor } }) => ({
    session_id,
    messages_count: messages.length,
    messages: toJsonValue(messages),
    next_cursor,
    via,
  }),
  text({ answer: { messages, next_cursor: next } }, style) {
    if (messages.length === 0) return '(no messages)';
    const shown = messages.map((message) => formatMessage(message, style));
    // In front: the page before this one is older.
    return [...moreLine(next, style), ...shown].join('\n\n');
  },
});
