import { getAgent } from '../../../../operations/agents/agents.ts';
import { namingAgent, parseAgentArgument } from '../../admin-arguments.ts';
import { askAgents } from '../../ask/ask-agents.ts';
import { defineCommand } from '../../program/command.ts';
import { formatAgent } from './agent-text.ts';

export const agentsShow = defineCommand({
  usage: 'AGENT',
  description: 'Asks the running server, else reads the database.',
  args: { min: 1, max: 1 },
  options: {},
  examples: ['claw agents show agent_default'],
  async run({ args }, context) {
    const id = parseAgentArgument(args[0], 'agents show');
    return namingAgent(id, askAgents(context, getAgent, { params: { agent_id: id } }));
  },
  fields: ({ via, answer: agent }) => ({ ...agent, via }),
  text: ({ answer: agent }, style) => formatAgent(agent, style),
});
