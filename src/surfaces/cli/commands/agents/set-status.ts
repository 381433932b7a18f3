import type { AgentStatus } from '../../../../core/agents/agent.ts';
import { setAgentStatus } from '../../../../operations/agents/agents.ts';
import { namingAgent, parseAgentArgument } from '../../admin-arguments.ts';
import { askAgents, assertAgent } from '../../ask/ask-agents.ts';
import { defineCommand } from '../../program/command.ts';

function defineStatusCommand(verb: string, status: AgentStatus, description: string) {
  return defineCommand({
    usage: 'AGENT',
    description: `${description} Through the running server, else in this process.`,
    args: { min: 1, max: 1 },
    options: {},
    examples: [`claw agents ${verb} lince`],
    async run({ args }, context) {
      const id = parseAgentArgument(args[0], `agents ${verb}`);
      await assertAgent(context, id);
      const input = { params: { agent_id: id }, body: { status } };
      return namingAgent(id, askAgents(context, setAgentStatus, input));
    },
    fields: ({ via, answer: agent }) => ({ ...agent, via }),
    text: ({ answer: agent }) => `agent ${agent.slug} is ${agent.status}`,
  });
}

export const agentsSleep = defineStatusCommand(
  'sleep',
  'sleeping',
  'It takes no runs: those it gets wait until it is awake. A run under way goes on.',
);

export const agentsWake = defineStatusCommand('wake', 'idle', 'It takes the runs that waited.');
