import { readGraph } from '../../../../operations/knowledge/knowledge.ts';
import { askKnowledge } from '../../ask/ask-knowledge.ts';
import { pageOptions } from '../../page-options.ts';
import { moreLine } from '../../print/layout.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { defineCommand } from '../../program/command.ts';
import { requireProject } from '../../project-argument.ts';
import { projectOption } from '../../project-option.ts';
import { parseReader, READER_OPTION } from '../../reader-option.ts';

const COMMAND = 'knowledge graph';
const DEFAULT_NODES = 200;
const MAX_NODES = 1_000;
const MAX_LABEL_CHARS = 60;

export const knowledgeGraph = defineCommand({
  usage: '--project ID [--as AGENT] [--limit N] [--cursor CURSOR]',
  description:
    'Agents, hand-offs, facts, memories and tags, the newest first to find room. Asks the running server, else reads the\n' +
    'database.',
  args: { min: 0, max: 0 },
  options: {
    project: projectOption('which project (needed)'),
    ...READER_OPTION,
    limit: {
      kind: 'number',
      value: 'N',
      min: 1,
      max: MAX_NODES,
      isWhole: true,
      summary: `at most this many nodes (default ${DEFAULT_NODES}, at most ${MAX_NODES})`,
    },
    cursor: pageOptions(MAX_NODES).cursor,
  },
  examples: ['claw knowledge graph --project proj_001 --output-format json'],
  run({ options: { project, as, limit = DEFAULT_NODES, cursor } }, context) {
    const project_id = requireProject(project, COMMAND);
    const query = { project_id, agent_id: parseReader(as, COMMAND), limit, cursor };
    return askKnowledge(context, readGraph, { headers: {}, query });
  },
  fields: ({ via, answer }) => ({
    ...answer,
    nodes_count: answer.nodes.length,
    edges_count: answer.edges.length,
    via,
  }),
  text({ answer: { nodes, edges, truncated, next_cursor: next } }, style) {
    if (nodes.length === 0) return truncated ? '(nothing that small: --limit)' : '(nothing yet)';
    const labels = new Map(nodes.map(({ id, label }) => [id, toOneLine(label, MAX_LABEL_CHARS)]));
    const lines = edges.map(
      ({ from, to, relation }) =>
        `${labels.get(from) ?? from} ${style.dim(toOneLine(relation, MAX_LABEL_CHARS))} ${labels.get(to) ?? to}`,
    );
    return [...lines, ...moreLine(next, style)].join('\n');
  },
});
