import { changeAgent } from '../../../../operations/agents/agents.ts';
import { namingAgent, parseAgentArgument } from '../../admin-arguments.ts';
import { askAgents, assertAgent } from '../../ask/ask-agents.ts';
import { defineCommand } from '../../program/command.ts';
import { parseError } from '../../program/errors.ts';
import {
  AGENT_OPTIONS,
  hintingApproval,
  readAgentOptions,
  toApprovalHeaders,
} from './agent-arguments.ts';

const COMMAND = 'agents update';

export const agentsUpdate = defineCommand({
  usage: 'AGENT [--name TEXT] [--role TEXT] [--model NAME | --default-model] [--instructions TEXT]',
  description:
    'What is given changes, the rest stays. Runs that start from now on see it. Through the running server, else in\n' +
    'this process.',
  args: { min: 1, max: 1 },
  options: {
    ...AGENT_OPTIONS,
    'default-model': { kind: 'flag', summary: 'speak with the default model again' },
  },
  examples: [
    'claw agents update agent_default --name Ada',
    'claw agents update reviewer --default-model',
  ],
  async run({ args, options }, context) {
    const id = parseAgentArgument(args[0], COMMAND);
    if (options['default-model'] && options.model !== undefined) {
      throw parseError('only one of --model and --default-model can be given', { target: COMMAND });
    }
    const given = {
      ...(await readAgentOptions(options, context.input, COMMAND)),
      ...(options['default-model'] ? { model: null } : {}),
    };
    if (Object.keys(given).length === 0) {
      throw parseError('it is not said what is to change', {
        target: COMMAND,
        hint: 'claw help agents update lists what can',
      });
    }
    await assertAgent(context, id);
    const input = { headers: toApprovalHeaders(options), params: { agent_id: id }, body: given };
    return namingAgent(id, hintingApproval(askAgents(context, changeAgent, input)));
  },
  fields: ({ via, answer: agent }) => ({ ...agent, via }),
  text: ({ answer: agent }) => `agent ${agent.agent_id} is changed`,
});
