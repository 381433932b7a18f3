import { defineCommand } from '../command.ts';
import { changeSession, parseSessionArgument } from '../open-sessions.ts';

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
    const fork = { id, throughExchange: options['through-exchange'] };
    return changeSession(context, from, async (sessions, via) => ({
      via,
      session: await sessions.fork(from, fork),
    }));
  },
  fields: ({ via, session }) => ({ ...session, via }),
  text: ({ session }) =>
    `session ${session.session_id} is a fork of ${session.forked_from ?? ''} with ${session.message_count} messages`,
});
