import { forkRun } from '../../../../operations/runs/replays.ts';
import { parseAgentOption } from '../../admin-arguments.ts';
import { askReplays } from '../../ask/ask-replays.ts';
import { assertRun, namingRun } from '../../ask/ask-runs.ts';
import { defineCommand } from '../../program/command.ts';
import { parseError } from '../../program/errors.ts';
import { parseRunId } from './run-id-argument.ts';

const COMMAND = 'runs fork';
const MAX_SEQ = 999_999_999;

export const runsFork = defineCommand({
  usage: 'RUN --at SEQ [--message TEXT] [--model PROVIDER/NAME] [--agent ID]',
  description:
    'A new run that knows what an ended run had done by an event, and goes on by itself. It acts for the same principal,\n' +
    'belongs to no session, and asks before each tool that acts outward. claw runs diff RUN RUN lists the events of a run\n' +
    'with their numbers. Through the running server, else in this process.',
  args: { min: 1, max: 1 },
  options: {
    at: {
      kind: 'number',
      value: 'SEQ',
      min: 1,
      max: MAX_SEQ,
      isWhole: true,
      summary: 'the last event that the new run knows of',
    },
    message: {
      kind: 'text',
      value: 'TEXT',
      summary: 'what is asked next (default: goes on with what was asked)',
    },
    model: { kind: 'text', value: 'PROVIDER/NAME', summary: 'the model of the new run' },
    agent: { kind: 'text', value: 'ID', summary: 'another agent' },
  },
  examples: [
    'claw runs fork run_01jv8z4q0k6c --at 7 --model anthropic/claude-sonnet-4-5',
    'claw runs fork run_01jv8z4q0k6c --at 12 --message "Use the other file"',
  ],
  async run({ args, options }, context) {
    const id = parseRunId(args[0], COMMAND);
    const { at, message, model, agent } = options;
    if (at === undefined) {
      throw parseError('option --at is missing', {
        target: COMMAND,
        hint: `claw runs diff ${id} ${id} lists the events with their numbers`,
      });
    }
    await assertRun(context, id);
    const agentId = agent === undefined ? undefined : parseAgentOption(agent, COMMAND);
    const body = { at_seq: at, message, model, agent_id: agentId };
    return namingRun(
      id,
      askReplays(context, forkRun, { params: { run_id: id }, headers: {}, body }),
    );
  },
  fields: ({ via, answer }) => ({ ...answer, via }),
  text: ({ answer: { id, forked_from: from } }) =>
    `run ${id} goes on from event ${from.seq} of ${from.run_id}; claw runs watch ${id} follows it`,
});
