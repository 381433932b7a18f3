import { AGENT_OPTIONS, parseAgentArgument, readAgentOptions } from '../agent-arguments.ts';
import { defineCommand } from '../command.ts';
import { withAccess } from '../open-access.ts';
import { AGENTS_WRITING } from '../open-agents.ts';

const COMMAND = 'agents create';

export const agentsCreate = defineCommand({
  usage: 'AGENT [--name TEXT] [--role TEXT] [--model PROVIDER/NAME] [--instructions TEXT]',
  description:
    'AGENT is its id in runs, files and records, and stays. Without --model it speaks with the default model. What it\n' +
    'may use is up to claw policy. Through the running server, else in this process.',
  args: { min: 1, max: 1 },
  options: AGENT_OPTIONS,
  examples: [
    'claw agents create reviewer --role "reads changes" --instructions - < reviewer.md',
    'claw agents create writer --model ollama/llama3.1',
  ],
  async run({ args, options }, context) {
    const id = parseAgentArgument(args[0], COMMAND);
    const given = await readAgentOptions(options, context.input, COMMAND);
    return withAccess(context, AGENTS_WRITING, async (agents, via) => ({
      via,
      agent: await agents.create({ id, ...given }),
    }));
  },
  fields: ({ via, agent }) => ({ ...agent, via }),
  text: ({ agent }) => `agent ${agent.agent_id} is created`,
});
