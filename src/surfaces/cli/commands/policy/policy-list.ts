import { listCapabilities } from '../../../../operations/capabilities/capabilities.ts';
import { readConfig } from '../../../../operations/config/config.ts';
import { AGENT_OPTION, namingAgent, parseAgent } from '../../admin-arguments.ts';
import { askCapabilities } from '../../ask/ask-capabilities.ts';
import { askConfig } from '../../ask/ask-config.ts';
import { encodeGranted } from '../../capability-text.ts';
import { formatDate, formatTable } from '../../print/layout.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { defineCommand } from '../../program/command.ts';
import { encodeRules, findRules, formatRules } from './rule-text.ts';

export const policyList = defineCommand({
  usage: '[--agent ID]',
  description:
    'The tools that an agent may use now, what operators changed beside the configuration, and the rules about calls.\n' +
    'Asks the running server, else looks in this process.',
  args: { min: 0, max: 0 },
  options: { agent: AGENT_OPTION },
  examples: ['claw policy list', 'claw policy list --agent agent_2 --output-format json'],
  async run({ options }, context) {
    const agent = parseAgent(options.agent, 'policy list');
    const asked = askCapabilities(context, listCapabilities, { params: { agent_id: agent } });
    const { via, answer: list } = await namingAgent(agent, asked);
    const { answer: config } = await askConfig(context, readConfig, {});
    return { via, list, rules: findRules(config) };
  },
  fields: ({ via, list, rules }) => ({ ...encodeGranted(list), ...encodeRules(rules), via }),
  text({ list, rules }, style) {
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
      ...formatRules(rules, style),
    ].join('\n');
  },
});
