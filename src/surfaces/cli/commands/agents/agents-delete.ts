import { removeAgent } from '../../../../operations/agents/agents.ts';
import { namingAgent, parseAgentArgument } from '../../admin-arguments.ts';
import { askAgents, assertAgent } from '../../ask/ask-agents.ts';
import { defineCommand } from '../../program/command.ts';

export const agentsDelete = defineCommand({
  usage: 'AGENT',
  description:
    'With its jobs and its own memories. Its files go to agents/.trash, its records stay. One with open runs stays\n' +
    'too. Through the running server, else in this process.',
  args: { min: 1, max: 1 },
  options: {},
  examples: ['claw agents delete lince'],
  async run({ args }, context) {
    const id = parseAgentArgument(args[0], 'agents delete');
    await assertAgent(context, id);
    return namingAgent(id, askAgents(context, removeAgent, { params: { agent_id: id } }));
  },
  fields: ({ via, answer: { agent, deleted } }) => ({ ...agent, deleted, via }),
  text: ({ answer: { agent } }) => `agent ${agent.slug} is deleted`,
});
