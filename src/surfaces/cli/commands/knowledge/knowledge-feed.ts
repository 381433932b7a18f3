import { defined } from '../../../../core/defined.ts';
import { readFeed } from '../../../../operations/knowledge/knowledge.ts';
import { askKnowledge } from '../../ask/ask-knowledge.ts';
import { DEFAULT_LIMIT, pageOptions } from '../../page-options.ts';
import { formatFittedTable } from '../../print/fitted-table.ts';
import { formatDate, moreLine } from '../../print/layout.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { defineCommand } from '../../program/command.ts';
import { requireProject } from '../../project-argument.ts';
import { projectOption } from '../../project-option.ts';
import { parseReader, READER_OPTION } from '../../reader-option.ts';

const COMMAND = 'knowledge feed';
const MAX_LIMIT = 100;
const MAX_CELL_CHARS = 200;

export const knowledgeFeed = defineCommand({
  usage: '--project ID [--as AGENT] [--limit N] [--cursor CURSOR]',
  description:
    'Hand-offs and what came of them, facts, memories that matter and runs that ended, newest first. Asks the running server,\n' +
    'else reads the database.',
  args: { min: 0, max: 0 },
  options: {
    project: projectOption('which project (needed)'),
    ...READER_OPTION,
    ...pageOptions(MAX_LIMIT),
  },
  examples: ['claw knowledge feed --project proj_001'],
  run({ options: { project, as, limit = DEFAULT_LIMIT, cursor } }, context) {
    const project_id = requireProject(project, COMMAND);
    const query = { project_id, agent_id: parseReader(as, COMMAND), limit, cursor };
    return askKnowledge(context, readFeed, { headers: {}, query });
  },
  fields: ({ via, answer }) => ({
    ...answer,
    entries: answer.entries.map(defined),
    entries_count: answer.entries.length,
    via,
  }),
  text({ answer: { entries, next_cursor: next } }, style) {
    if (entries.length === 0) return '(nothing yet)';
    const rows = entries.map((entry) => [
      formatDate(entry.timestamp),
      entry.kind,
      entry.agent_id ?? '-',
      toOneLine(entry.message, MAX_CELL_CHARS),
    ]);
    const headers = ['WHEN', 'KIND', 'AGENT', 'MESSAGE'];
    const table = formatFittedTable({ headers, rows, cuttable: [2, 3] }, style);
    return [table, ...moreLine(next, style)].join('\n');
  },
});
