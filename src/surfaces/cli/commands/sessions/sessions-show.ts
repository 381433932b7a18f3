import { getSession } from '../../../../operations/sessions/sessions.ts';
import { askSessions, namingSession } from '../../ask/ask-sessions.ts';
import { defineCommand } from '../../program/command.ts';
import { parseSessionArgument } from './session-argument.ts';
import { formatSession } from './session-text.ts';

export const sessionsShow = defineCommand({
  usage: 'SESSION',
  description: 'Asks the running server, else reads the database.',
  args: { min: 1, max: 1 },
  options: {},
  examples: ['claw sessions show session_01jv8z4q0k6c'],
  async run({ args }, context) {
    const id = parseSessionArgument(args[0], 'sessions show');
    return namingSession(id, askSessions(context, getSession, { params: { session_id: id } }));
  },
  fields: ({ via, answer: session }) => ({ ...session, via }),
  text: ({ answer: session }, style) => formatSession(session, style),
});
