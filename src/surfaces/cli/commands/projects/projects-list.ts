import { listProjects } from '../../../../operations/projects/projects.ts';
import { askProjects } from '../../ask/ask-knowledge.ts';
import { DEFAULT_LIMIT, pageOptions } from '../../page-options.ts';
import { formatFittedTable } from '../../print/fitted-table.ts';
import { formatDate, moreLine } from '../../print/layout.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { defineCommand } from '../../program/command.ts';

const MAX_LIMIT = 200;
const MAX_CELL_CHARS = 128;

export const projectsList = defineCommand({
  usage: '[--limit N] [--cursor CURSOR]',
  description:
    'Those with runs, hand-offs or facts, by id. Asks the running server, else reads the database.',
  args: { min: 0, max: 0 },
  options: pageOptions(MAX_LIMIT),
  examples: ['claw projects list'],
  run: ({ options: { limit = DEFAULT_LIMIT, cursor } }, context) =>
    askProjects(context, listProjects, { query: { limit, cursor } }),
  fields: ({ via, answer: { projects, next_cursor } }) => ({
    projects_count: projects.length,
    projects,
    next_cursor,
    via,
  }),
  text({ answer: { projects, next_cursor: next } }, style) {
    if (projects.length === 0) return '(no projects)';
    const rows = projects.map(({ tasks, ...project }) => [
      toOneLine(project.project_id, MAX_CELL_CHARS),
      project.overall_status,
      ...[tasks.todo, tasks.doing, tasks.done, project.failed].map(String),
      formatDate(project.last_activity_at),
    ]);
    const headers = ['PROJECT', 'STATUS', 'TODO', 'DOING', 'DONE', 'FAILED', 'LAST'];
    const table = formatFittedTable({ headers, rows, cuttable: [0] }, style);
    return [table, ...moreLine(next, style)].join('\n');
  },
});
