import { giveHandoff } from '../../../../operations/handoffs/handoffs.ts';
import { parseAgentArgument } from '../../admin-arguments.ts';
import { askHandoffs } from '../../ask/ask-knowledge.ts';
import { defineCommand } from '../../program/command.ts';
import { requireProject } from '../../project-argument.ts';
import { projectOption } from '../../project-option.ts';
import { readText } from '../../read-message.ts';

const COMMAND = 'handoff';
/** As many as `/api` takes. */
const MAX_CONTENT_CHARS = 16_000;
const MAX_WORDS = 10_000;

export const handoff = defineCommand({
  usage: 'FROM TO --project ID [--key KEY] TEXT',
  description:
    'FROM and TO are agents: ids, slugs or names. The receiver works on TEXT in a run of its own, and its answer comes to the\n' +
    'inbox of the sender. TEXT may come on standard input. Through the running server; without one it is stored, and the next\n' +
    'server delivers it.',
  args: { min: 2, max: MAX_WORDS },
  options: {
    project: projectOption('the project that the work belongs to (needed)'),
    key: { kind: 'text', value: 'KEY', summary: 'the same again is the same hand-off' },
  },
  examples: [
    'claw handoff lince sastre --project proj_001 "add a backoff to the websocket connector"',
  ],
  async run({ args: [from, to, ...words], options }, context) {
    const body = {
      from_agent_id: parseAgentArgument(from, COMMAND),
      to_agent_id: parseAgentArgument(to, COMMAND),
      project_id: requireProject(options.project, COMMAND),
      content: await readText(words, context.input, {
        command: COMMAND,
        what: 'text',
        argument: 'TEXT',
        maxChars: MAX_CONTENT_CHARS,
        hint: 'give it as an argument, or on standard input',
      }),
      key: options.key,
    };
    return askHandoffs(context, giveHandoff, { headers: {}, body });
  },
  fields: ({ via, answer: { handoff_id, status: transfer } }) => ({ handoff_id, transfer, via }),
  text: ({ via, answer }) =>
    `${answer.handoff_id} is ${via === 'server' ? 'transferred' : 'stored, and delivered when a server runs'}`,
});
