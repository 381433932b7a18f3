import { listAgents } from '../../../../operations/agents/agents.ts';
import { askAgents } from '../../ask/ask-agents.ts';
import { DEFAULT_LIMIT, pageOptions } from '../../page-options.ts';
import { formatFittedTable } from '../../print/fitted-table.ts';
import { moreLine } from '../../print/layout.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { defineCommand } from '../../program/command.ts';
import { formatModel } from './agent-text.ts';

const MAX_LIMIT = 200;
const MAX_CELL_CHARS = 120;

export const agentsList = defineCommand({
  usage: '[--limit N] [--cursor CURSOR]',
  description: 'By id. Asks the running server, else reads the database.',
  args: { min: 0, max: 0 },
  options: pageOptions(MAX_LIMIT),
  examples: ['claw agents list', 'claw agents list --output-format json'],
  run: ({ options: { limit = DEFAULT_LIMIT, cursor } }, context) =>
    askAgents(context, listAgents, { query: { limit, cursor } }),
  fields: ({ via, answer: { agents, next_cursor } }) => ({
    agents_count: agents.length,
    agents,
    next_cursor,
    via,
  }),
  text({ answer: { agents, next_cursor: next } }, style) {
    if (agents.length === 0) return '(no agents)';
    const rows = agents.map((agent) => [
      agent.slug,
      toOneLine(agent.name, MAX_CELL_CHARS),
      agent.status,
      formatModel(agent),
      toOneLine(agent.role, MAX_CELL_CHARS),
    ]);
    const headers = ['AGENT', 'NAME', 'STATUS', 'MODEL', 'ROLE'];
    const table = formatFittedTable({ headers, rows, cuttable: [1, 3, 4] }, style);
    return [table, ...moreLine(next, style)].join('\n');
  },
});
