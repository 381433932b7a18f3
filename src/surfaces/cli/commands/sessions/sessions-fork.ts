import { forkSession } from '../../../../operations/sessions/sessions.ts';
import { askSessions, assertSession, namingSession } from '../../ask/ask-sessions.ts';
import { defineCommand } from '../../program/command.ts';
import { parseSessionArgument } from './session-argument.ts';

const COMMAND = 'sessions fork';
const MAX_EXCHANGE = 999_999_999;

export const sessionsFork = defineCommand({
  usage: 'SESSION [--through-exchange N] [--id SESSION]',
  description:
    'A new conversation in the same place with the messages so far, or up to an exchange: one message and all that\n' +
    'came of it. It does not become the active one. Through the running server, else in this process.',
  args: { min: 1, max: 1 },
  options: {
    'through-exchange': {
      kind: 'number',
      value: 'N',
      min: 0,
      max: MAX_EXCHANGE,
      isWhole: true,
      summary: 'the last exchange to take along (default all)',
    },
    id: { kind: 'text', value: 'SESSION', summary: 'the id of the new one; made when absent' },
  },
  examples: [
    'claw sessions fork session_01jv8z4q0k6c',
    'claw sessions fork session_01jv8z4q0k6c --through-exchange 3',
  ],
  async run({ args, options }, context) {
    const from = parseSessionArgument(args[0], COMMAND);
    const id = options.id === undefined ? undefined : parseSessionArgument(options.id, COMMAND);
    const body = { session_id: id, through_exchange: options['through-exchange'] };
    await assertSession(context, from);
    const input = { params: { session_id: from }, body };
    return namingSession(from, askSessions(context, forkSession, input));
  },
  fields: ({ via, answer: session }) => ({ ...session, via }),
  text: ({ answer: session }) =>
    `session ${session.session_id} is a fork of ${session.forked_from ?? ''} with ${session.message_count} messages`,
});
