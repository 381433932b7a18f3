import { changeCapability } from '../../../../operations/capabilities/capabilities.ts';
import {
  AGENT_OPTION,
  namingAgent,
  namingTool,
  parseAgent,
  parseToolPattern,
} from '../../admin-arguments.ts';
import { askCapabilities } from '../../ask/ask-capabilities.ts';
import { encodeGranted } from '../../capability-text.ts';
import { defineCommand } from '../../program/command.ts';

export interface PolicyChangeOptions {
  readonly effect: 'grant' | 'revoke';
  readonly done: string;
  readonly description: string;
  readonly examples: readonly string[];
}

/** `policy grant` and `policy revoke`. */
export function definePolicyChange({ effect, done, description, examples }: PolicyChangeOptions) {
  const command = `policy ${effect}`;
  return defineCommand({
    usage: 'TOOL [--agent ID]',
    description,
    args: { min: 1, max: 1 },
    options: { agent: AGENT_OPTION },
    examples,
    async run({ args, options }, context) {
      const tool = parseToolPattern(args[0], command);
      const agent = parseAgent(options.agent, command);
      const input = { params: { agent_id: agent }, body: { tool, effect } };
      const asked = namingTool(tool, askCapabilities(context, changeCapability, input));
      const { via, answer: list } = await namingAgent(agent, asked);
      return { via, tool, list };
    },
    fields: ({ via, tool, list }) => ({ tool, effect, ...encodeGranted(list), via }),
    text: ({ tool, list }) => `${tool} is ${done} ${list.agent_id}`,
  });
}
