import { AGENT_ID_PATTERN } from '../../../../core/ids.ts';
import { createAgent } from '../../../../operations/agents/agents.ts';
import { parseName } from '../../admin-arguments.ts';
import { askAgents } from '../../ask/ask-agents.ts';
import { defineCommand } from '../../program/command.ts';
import {
  AGENT_OPTIONS,
  hintingApproval,
  readAgentOptions,
  toApprovalHeaders,
} from './agent-arguments.ts';

const COMMAND = 'agents create';

export const agentsCreate = defineCommand({
  usage: 'AGENT [--name TEXT] [--role TEXT] [--model PROVIDER/NAME] [--instructions TEXT]',
  description:
    'AGENT is its id in runs and records, and stays; claw agents spawn makes one up. Without --model it speaks with the default model. What it\n' +
    'may use is up to claw policy. Through the running server, else in this process.',
  args: { min: 1, max: 1 },
  options: AGENT_OPTIONS,
  examples: [
    'claw agents create reviewer --role "reads changes" --instructions - < reviewer.md',
    'claw agents create writer --model ollama/llama3.1',
  ],
  async run({ args, options }, context) {
    const id = parseName(args[0], {
      command: COMMAND,
      pattern: AGENT_ID_PATTERN,
      what: 'the id of an agent',
      hint: 'ids have 1 to 64 letters, digits, _ or -; claw agents list shows them',
    });
    const given = await readAgentOptions(options, context.input, COMMAND);
    const body = { agent_id: id, ...given };
    const input = { headers: toApprovalHeaders(options), body };
    return hintingApproval(askAgents(context, createAgent, input));
  },
  fields: ({ via, answer: agent }) => ({ ...agent, via }),
  text: ({ answer: agent }) => `agent ${agent.agent_id} is created`,
});
