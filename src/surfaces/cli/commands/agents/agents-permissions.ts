import { defined } from '../../../../core/defined.ts';
import { changeAgent } from '../../../../operations/agents/agents.ts';
import { namingAgent, parseAgentArgument } from '../../admin-arguments.ts';
import { askAgents, assertAgent } from '../../ask/ask-agents.ts';
import { defineCommand } from '../../program/command.ts';
import { parseError } from '../../program/errors.ts';
import {
  hintingApproval,
  MEMORY_OPTIONS,
  SKILL_OPTION,
  toApprovalHeaders,
} from './agent-arguments.ts';

const COMMAND = 'agents permissions';

export const agentsPermissions = defineCommand({
  usage: 'AGENT [--skill SKILL]… [--all-skills] [--memory ACCESS] [--approve-global-memory]',
  description:
    'Skills choose among the tools that claw policy grants, and name skills that it is told of. Through the running\n' +
    'server, else in this process.',
  args: { min: 1, max: 1 },
  options: {
    skill: SKILL_OPTION,
    'all-skills': { kind: 'flag', summary: 'let it use all that it is granted again' },
    ...MEMORY_OPTIONS,
  },
  examples: ['claw agents permissions lince --skill browser --skill python --memory private'],
  async run({ args, options }, context) {
    const id = parseAgentArgument(args[0], COMMAND);
    const { skill, memory, 'all-skills': hasAll } = options;
    if (skill.length === 0 && memory === undefined && !hasAll) {
      throw parseError('it is not said what is to change', {
        target: COMMAND,
        hint: 'give --skill, --all-skills or --memory',
      });
    }
    await assertAgent(context, id);
    const body = {
      ...(hasAll || skill.length > 0 ? { skills: [...skill] } : {}),
      ...defined({ memory_access: memory }),
    };
    const input = { headers: toApprovalHeaders(options), params: { agent_id: id }, body };
    return namingAgent(id, hintingApproval(askAgents(context, changeAgent, input)));
  },
  fields: ({ via, answer: agent }) => ({ ...agent, via }),
  text: ({ answer: { slug, skills, memory_access: memory } }) =>
    `agent ${slug} has ${memory} memory and ${skills.length === 0 ? 'all that it is granted' : `the skills ${skills.join(', ')}`}`,
});
