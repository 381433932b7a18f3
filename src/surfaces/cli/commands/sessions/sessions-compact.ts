import { compactSession } from '../../../../operations/sessions/sessions.ts';
import { askSessions, assertSession, namingSession } from '../../ask/ask-sessions.ts';
import { toPlainText } from '../../print/plain-text.ts';
import { defineCommand } from '../../program/command.ts';
import { parseSessionArgument } from './session-argument.ts';

export const sessionsCompact = defineCommand({
  usage: 'SESSION',
  description:
    'Folds what was said so far into the running summary of the conversation. From the next run on the model hears the\n' +
    'summary in its place; the messages stay readable. What is still going on is left out, and doing it again folds\n' +
    'what is new. Through the running server, else in this process.',
  args: { min: 1, max: 1 },
  options: {},
  examples: ['claw sessions compact session_01jv8z4q0k6c'],
  async run({ args }, context) {
    const id = parseSessionArgument(args[0], 'sessions compact');
    await assertSession(context, id);
    const input = { params: { session_id: id }, body: null };
    return namingSession(id, askSessions(context, compactSession, input));
  },
  fields: ({ via, answer: compacted }) => ({ ...compacted, via }),
  text({ answer: compacted }) {
    const { session_id: id, folded_messages: count, summary } = compacted;
    const done = `${count} message${count === 1 ? '' : 's'} of session ${id} folded into its summary`;
    return summary === '' ? done : `${done}\n\n${toPlainText(summary)}`;
  },
});
