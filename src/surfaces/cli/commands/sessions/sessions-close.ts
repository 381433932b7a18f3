import { closeSession } from '../../../../operations/sessions/sessions.ts';
import { askSessions, assertSession, namingSession } from '../../ask/ask-sessions.ts';
import { defineCommand } from '../../program/command.ts';
import { parseSessionArgument } from './session-argument.ts';

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
    await assertSession(context, id);
    const input = { params: { session_id: id }, body: null };
    return namingSession(id, askSessions(context, closeSession, input));
  },
  fields: ({ via, answer: session }) => ({ ...session, via }),
  text: ({ answer: session }) => `session ${session.session_id} is closed`,
});
