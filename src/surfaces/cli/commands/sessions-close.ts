import { defineCommand } from '../command.ts';
import { changeSession, parseSessionArgument } from '../open-sessions.ts';

export const sessionsClose = defineCommand({
  usage: 'SESSION',
  description:
    'It takes no more messages and stays readable; a run under way still adds its own. Closing it again changes\n' +
    'nothing. Through the running server, else in this process.',
  args: { min: 1, max: 1 },
  options: {},
  examples: ['claw sessions close session_01jv8z4q0k6c'],
  async run({ args }, context) {
    const id = parseSessionArgument(args[0], 'sessions close');
    return changeSession(context, id, async (sessions, via) => ({
      via,
      session: await sessions.close(id),
    }));
  },
  fields: ({ via, session }) => ({ ...session, via }),
  text: ({ session }) => `session ${session.session_id} is closed`,
});
