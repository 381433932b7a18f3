import { defined } from '../../../../core/defined.ts';
import { readProjectEvents } from '../../../../operations/projects/projects.ts';
import { askProjects } from '../../ask/ask-knowledge.ts';
import { formatFittedTable } from '../../print/fitted-table.ts';
import { formatDate } from '../../print/layout.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { defineCommand } from '../../program/command.ts';
import { requireProject } from '../../project-argument.ts';
import { parseReader, READER_OPTION } from '../../reader-option.ts';

const COMMAND = 'projects events';
const DEFAULT_EVENTS = 20;
const MAX_EVENTS = 100;
const MAX_CELL_CHARS = 200;

export const projectsEvents = defineCommand({
  usage: 'PROJECT [--as AGENT] [--limit N]',
  description:
    'From the logs of its runs, newest first. Of an agent that keeps its memory to itself others see what it does and not\n' +
    'what it says. Asks the running server, else reads the database.',
  args: { min: 1, max: 1 },
  options: {
    ...READER_OPTION,
    limit: {
      kind: 'number',
      value: 'N',
      min: 1,
      max: MAX_EVENTS,
      isWhole: true,
      summary: `at most this many (default ${DEFAULT_EVENTS}, at most ${MAX_EVENTS})`,
    },
  },
  examples: ['claw projects events proj_001 --limit 50'],
  run({ args, options: { as, limit = DEFAULT_EVENTS } }, context) {
    const project_id = requireProject(args[0], COMMAND);
    const query = { project_id, agent_id: parseReader(as, COMMAND), limit };
    return askProjects(context, readProjectEvents, { headers: {}, query });
  },
  fields: ({ via, answer }) => ({
    ...answer,
    events: answer.events.map(defined),
    events_count: answer.events.length,
    via,
  }),
  text({ answer: { events } }, style) {
    if (events.length === 0) return '(nothing yet)';
    const rows = events.map((event) => [
      formatDate(event.timestamp),
      toOneLine(event.agent_name ?? event.agent_id, MAX_CELL_CHARS),
      event.kind,
      toOneLine(event.content, MAX_CELL_CHARS),
    ]);
    const headers = ['WHEN', 'AGENT', 'KIND', 'CONTENT'];
    return formatFittedTable({ headers, rows, cuttable: [1, 3] }, style);
  },
});
