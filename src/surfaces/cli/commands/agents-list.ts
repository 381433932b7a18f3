import { formatModel } from '../agent-text.ts';
import { defineCommand } from '../command.ts';
import { formatFittedTable } from '../fitted-table.ts';
import { moreLine } from '../layout.ts';
import { withAccess } from '../open-access.ts';
import { AGENTS_READING } from '../open-agents.ts';
import { DEFAULT_LIMIT, pageOptions } from '../page-options.ts';
import { toOneLine } from '../plain-text.ts';

const MAX_LIMIT = 200;
const MAX_CELL_CHARS = 120;

export const agentsList = defineCommand({
  usage: '[--limit N] [--cursor CURSOR]',
  description: 'By id. Asks the running server, else reads the database.',
  args: { min: 0, max: 0 },
  options: pageOptions(MAX_LIMIT),
  examples: ['claw agents list', 'claw agents list --output-format json'],
  async run({ options: { limit = DEFAULT_LIMIT, cursor } }, context) {
    return withAccess(context, AGENTS_READING, async (agents, via) => ({
      via,
      ...(await agents.list({ limit, cursor })),
    }));
  },
  fields: ({ via, agents, next_cursor }) => ({
    agents_count: agents.length,
    agents,
    next_cursor,
    via,
  }),
  text({ agents, next_cursor: next }, style) {
    if (agents.length === 0) return '(no agents)';
    const rows = agents.map((agent) => [
      agent.agent_id,
      toOneLine(agent.name, MAX_CELL_CHARS),
      formatModel(agent),
      toOneLine(agent.role, MAX_CELL_CHARS),
    ]);
    const headers = ['AGENT', 'NAME', 'MODEL', 'ROLE'];
    const table = formatFittedTable({ headers, rows, cuttable: [1, 2, 3] }, style);
    return [table, ...moreLine(next, style)].join('\n');
  },
});
