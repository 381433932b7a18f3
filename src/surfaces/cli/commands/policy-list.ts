import { AGENT_OPTION, namingAgent, parseAgent } from '../admin-arguments.ts';
import { encodeGranted } from '../capability-text.ts';
import { defineCommand } from '../command.ts';
import { formatDate, formatTable } from '../layout.ts';
import { openAdmin, withAdmin } from '../open-admin.ts';
import { toOneLine } from '../plain-text.ts';

export const policyList = defineCommand({
  usage: '[--agent ID]',
  description:
    'The tools that an agent may use now, and what operators changed beside the configuration. Asks the running\n' +
    'server, else looks in this process.',
  args: { min: 0, max: 0 },
  options: { agent: AGENT_OPTION },
  examples: ['claw policy list', 'claw policy list --agent agent_2 --output-format json'],
  async run({ options }, context) {
    const agent = parseAgent(options.agent, 'policy list');
    return withAdmin(openAdmin(context), async (admin, via) => ({
      via,
      list: await namingAgent(agent, admin.listCapabilities(agent)),
    }));
  },
  fields: ({ via, list }) => ({ ...encodeGranted(list), via }),
  text({ list }, style) {
    const { granted, changes } = list;
    const said = changes.map((change) => [
      `  ${change.effect}`,
      toOneLine(change.tool, 100),
      formatDate(change.at),
      toOneLine(change.by, 60),
    ]);
    return [
      style.bold(`${list.agent_id} may use:`),
      ...(granted.length === 0
        ? ['  (nothing)']
        : granted.map((name) => `  ${toOneLine(name, 100)}`)),
      ...(said.length === 0 ? [] : ['', style.bold('changed by operators:'), formatTable(said)]),
    ].join('\n');
  },
});
