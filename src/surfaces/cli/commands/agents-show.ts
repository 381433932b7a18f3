import { namingAgent } from '../admin-arguments.ts';
import { parseAgentArgument } from '../agent-arguments.ts';
import { formatAgent } from '../agent-text.ts';
import { defineCommand } from '../command.ts';
import { withAccess } from '../open-access.ts';
import { AGENTS_READING } from '../open-agents.ts';

export const agentsShow = defineCommand({
  usage: 'AGENT',
  description: 'Asks the running server, else reads the database.',
  args: { min: 1, max: 1 },
  options: {},
  examples: ['claw agents show agent_default'],
  async run({ args }, context) {
    const id = parseAgentArgument(args[0], 'agents show');
    return withAccess(context, AGENTS_READING, async (agents, via) => ({
      via,
      agent: await namingAgent(id, agents.get(id)),
    }));
  },
  fields: ({ via, agent }) => ({ ...agent, via }),
  text: ({ agent }, style) => formatAgent(agent, style),
});
