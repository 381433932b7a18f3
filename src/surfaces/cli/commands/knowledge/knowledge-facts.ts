import { listFacts } from '../../../../operations/knowledge/knowledge.ts';
import { askKnowledge } from '../../ask/ask-knowledge.ts';
import { DEFAULT_LIMIT, pageOptions } from '../../page-options.ts';
import { formatFittedTable } from '../../print/fitted-table.ts';
import { moreLine } from '../../print/layout.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { defineCommand } from '../../program/command.ts';
import { parseProject, projectOption } from '../../project-option.ts';
import { parseReader, READER_OPTION } from '../../reader-option.ts';

const COMMAND = 'knowledge facts';
const MAX_LIMIT = 200;
const MAX_CELL_CHARS = 120;

export const knowledgeFacts = defineCommand({
  usage: '[--project ID] [--about TEXT] [--as AGENT] [--all] [--limit N] [--cursor CURSOR]',
  description:
    'Those that hold now, newest first. Asks the running server, else reads the database.',
  args: { min: 0, max: 0 },
  options: {
    project: projectOption('only those of this project'),
    about: { kind: 'text', value: 'TEXT', summary: 'part of the subject, relation or object' },
    ...READER_OPTION,
    all: { kind: 'flag', summary: 'also those that hold no longer' },
    ...pageOptions(MAX_LIMIT),
  },
  examples: ['claw knowledge facts --project proj_001 --about websocket'],
  run({ options: { project, about, as, all, limit = DEFAULT_LIMIT, cursor } }, context) {
    const query = {
      project_id: parseProject(project, COMMAND),
      agent_id: parseReader(as, COMMAND),
      q: about,
      include_past: all ? ('true' as const) : undefined,
      limit,
      cursor,
    };
    return askKnowledge(context, listFacts, { headers: {}, query });
  },
  fields: ({ via, answer: { facts, next_cursor } }) => ({
    facts_count: facts.length,
    facts,
    next_cursor,
    via,
  }),
  text({ answer: { facts, next_cursor: next } }, style) {
    if (facts.length === 0) return '(no facts)';
    const rows = facts.map((fact) => [
      fact.fact_id,
      ...[fact.subject, fact.relation, fact.object].map((text) => toOneLine(text, MAX_CELL_CHARS)),
      fact.agent_id ?? fact.source,
    ]);
    const headers = ['FACT', 'SUBJECT', 'RELATION', 'OBJECT', 'BY'];
    const table = formatFittedTable({ headers, rows, cuttable: [1, 2, 3, 4] }, style);
    return [table, ...moreLine(next, style)].join('\n');
  },
});
