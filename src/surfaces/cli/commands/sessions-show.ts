import { defineCommand } from '../command.ts';
import { withAccess } from '../open-access.ts';
import { namingSession, parseSessionArgument, SESSIONS_READING } from '../open-sessions.ts';
import { formatSession } from '../session-text.ts';

export const sessionsShow = defineCommand({
  usage: 'SESSION',
  description: 'Asks the running server, else reads the database.',
  args: { min: 1, max: 1 },
  options: {},
  examples: ['claw sessions show session_01jv8z4q0k6c'],
  async run({ args }, context) {
    const id = parseSessionArgument(args[0], 'sessions show');
    return withAccess(context, SESSIONS_READING, async (sessions, via) => ({
      via,
      session: await namingSession(id, sessions.get(id)),
    }));
  },
  fields: ({ via, session }) => ({ ...session, via }),
  text: ({ session }, style) => formatSession(session, style),
});
