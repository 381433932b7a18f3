import { createAgent } from '../../../../operations/agents/agents.ts';
import { askAgents } from '../../ask/ask-agents.ts';
import { defineCommand } from '../../program/command.ts';
import { parseError } from '../../program/errors.ts';
import {
  AGENT_OPTIONS,
  assertShort,
  hintingApproval,
  readAgentOptions,
  toApprovalHeaders,
} from './agent-arguments.ts';

const COMMAND = 'agents spawn';

const { name: _, ...OPTIONS } = AGENT_OPTIONS;

export const agentsSpawn = defineCommand({
  usage: 'NAME [--role TEXT] [--template NAME] [--voice VOICE] [--skill SKILL]… [--memory ACCESS]',
  description:
    'Makes an agent with a soul of its own, written to souls/SLUG.md: edit it, and the next run has it. Templates are\n' +
    'default, default-security, researcher, coder, creative, operator, and those in souls/templates. Through the running\n' +
    'server, else in this process.',
  args: { min: 1, max: 1 },
  options: OPTIONS,
  examples: [
    'claw agents spawn Lince --role "Cybersecurity Researcher" --template default-security --skill browser',
    'claw ask "what changed?" --agent lince',
  ],
  async run({ args: [name = ''], options }, context) {
    if (name.trim() === '') throw parseError('NAME must not be empty', { target: COMMAND });
    assertShort('name', name, { word: 'NAME', command: COMMAND });
    const given = { ...options, name };
    const body = await readAgentOptions(given, context.input, COMMAND);
    const input = { headers: toApprovalHeaders(options), body };
    return hintingApproval(askAgents(context, createAgent, input));
  },
  fields: ({ via, answer: agent }) => ({ ...agent, via }),
  text: ({ answer: agent }) => `agent ${agent.slug} is created, with the id ${agent.agent_id}`,
});
