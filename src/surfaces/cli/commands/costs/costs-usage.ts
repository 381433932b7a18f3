import { recordUsage } from '../../../../operations/costs/costs.ts';
import { askCosts } from '../../ask/ask-costs.ts';
import { defineCommand } from '../../program/command.ts';
import { parseError } from '../../program/errors.ts';
import { parseProject, projectOption } from '../../project-option.ts';
import { describeCosts } from './cost-text.ts';

const tokens = (summary: string) =>
  ({ kind: 'number', value: 'N', min: 0, max: 1e15, isWhole: true, summary }) as const;

export const costsUsage = defineCommand({
  usage: '--project ID --agent AGENT --cost USD [--tokens-in N] [--tokens-out N] [--key KEY]',
  description:
    'Reports what was spent elsewhere. With a key the same report counts once, however often it is sent.',
  args: { min: 0, max: 0 },
  options: {
    project: projectOption('the project it was spent for'),
    agent: { kind: 'text', value: 'AGENT', summary: 'who spent it: an id, slug or name' },
    cost: { kind: 'text', value: 'USD', summary: 'what it cost, as a decimal' },
    'tokens-in': tokens('tokens that went in (default 0)'),
    'tokens-out': tokens('tokens that came out (default 0)'),
    key: { kind: 'text', value: 'KEY', summary: 'counts once for each key' },
  },
  examples: ['claw costs usage --project website --agent lince --cost 0.0125 --key invoice-7'],
  run({ options }, context) {
    const project = parseProject(options.project, 'costs usage');
    const { agent, cost, key } = options;
    if (project === undefined || agent === undefined || cost === undefined) {
      throw parseError('--project, --agent and --cost are needed', { target: 'costs usage' });
    }
    const body = {
      ...{ project_id: project, agent_id: agent, cost_usd: cost, key },
      tokens_in: options['tokens-in'] ?? 0,
      tokens_out: options['tokens-out'] ?? 0,
    };
    return askCosts(context, recordUsage, { headers: {}, body });
  },
  fields: ({ via, answer: { summary } }) => ({ recorded: true, ...summary, via }),
  text: ({ answer: { summary } }, style) => `recorded\n${describeCosts(summary, style)}`,
});
