import { HANDOFF_STATES } from '../../../../core/handoffs/handoff.ts';
import { listHandoffs } from '../../../../operations/handoffs/handoffs.ts';
import { parseAgentOption } from '../../admin-arguments.ts';
import { askHandoffs } from '../../ask/ask-knowledge.ts';
import { DEFAULT_LIMIT, pageOptions } from '../../page-options.ts';
import { formatFittedTable } from '../../print/fitted-table.ts';
import { moreLine } from '../../print/layout.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { defineCommand } from '../../program/command.ts';
import { parseProject, projectOption } from '../../project-option.ts';

const COMMAND = 'handoff list';
const MAX_LIMIT = 200;
const MAX_CELL_CHARS = 120;

export const handoffList = defineCommand({
  usage: '[--project ID] [--agent AGENT] [--state STATE] [--limit N] [--cursor CURSOR]',
  description: 'Newest first. Asks the running server, else reads the database.',
  args: { min: 0, max: 0 },
  options: {
    project: projectOption('only those of this project'),
    agent: { kind: 'text', value: 'AGENT', summary: 'only those it gave or got' },
    state: {
      kind: 'choice',
      value: 'STATE',
      choices: HANDOFF_STATES,
      summary: `only those in this state: ${HANDOFF_STATES.join(', ')}`,
    },
    ...pageOptions(MAX_LIMIT),
  },
  examples: ['claw handoff list --state failed', 'claw handoff list --output-format json'],
  run({ options: { limit = DEFAULT_LIMIT, cursor, state, agent, project } }, context) {
    const query = {
      limit,
      cursor,
      state,
      agent_id: agent === undefined ? undefined : parseAgentOption(agent, COMMAND),
      project_id: parseProject(project, COMMAND),
    };
    return askHandoffs(context, listHandoffs, { query });
  },
  fields: ({ via, answer: { handoffs, next_cursor } }) => ({
    handoffs_count: handoffs.length,
    handoffs,
    next_cursor,
    via,
  }),
  text({ answer: { handoffs, next_cursor: next } }, style) {
    if (handoffs.length === 0) return '(no hand-offs)';
    const rows = handoffs.map((one) => [
      one.handoff_id,
      one.state,
      one.from_agent_id,
      one.to_agent_id,
      toOneLine(one.content, MAX_CELL_CHARS),
    ]);
    const headers = ['HAND-OFF', 'STATE', 'FROM', 'TO', 'CONTENT'];
    const table = formatFittedTable({ headers, rows, cuttable: [2, 3, 4] }, style);
    return [table, ...moreLine(next, style)].join('\n');
  },
});
