import { readCosts } from '../../../../operations/costs/costs.ts';
import { askCosts } from '../../ask/ask-costs.ts';
import { defineCommand } from '../../program/command.ts';
import { parseProject, projectOption } from '../../project-option.ts';
import { describeCosts } from './cost-text.ts';

export const costsSummary = defineCommand({
  usage: '[--project ID]',
  description: 'What a project has cost, by agent, and what is left of its budget.',
  args: { min: 0, max: 0 },
  options: { project: projectOption('the project (default proj_001)') },
  examples: ['claw costs summary', 'claw costs summary --project website'],
  run({ options }, context) {
    const project = parseProject(options.project, 'costs summary');
    return askCosts(context, readCosts, { query: { project_id: project } });
  },
  fields: ({ via, answer }) => ({ ...answer, via }),
  text: ({ answer }, style) => describeCosts(answer, style),
});
