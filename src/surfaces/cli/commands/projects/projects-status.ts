import { readProjectStatus } from '../../../../operations/projects/projects.ts';
import { askProjects } from '../../ask/ask-knowledge.ts';
import { formatDate, formatFacts } from '../../print/layout.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { defineCommand } from '../../program/command.ts';
import { requireProject } from '../../project-argument.ts';

const COMMAND = 'projects status';
const MAX_CELL_CHARS = 200;

export const projectsStatus = defineCommand({
  usage: 'PROJECT',
  description:
    'Counted from its runs and hand-offs. Asks the running server, else reads the database.',
  args: { min: 1, max: 1 },
  options: {},
  examples: ['claw projects status proj_001'],
  run({ args }, context) {
    const query = { project_id: requireProject(args[0], COMMAND) };
    return askProjects(context, readProjectStatus, { query });
  },
  fields: ({ via, answer }) => ({ ...answer, via }),
  text({ answer: { tasks, agents, ...project } }, style) {
    const names = agents.map(
      ({ name, status }) => `${toOneLine(name, MAX_CELL_CHARS)} (${status})`,
    );
    return formatFacts(
      [
        ['project', toOneLine(project.project_id, MAX_CELL_CHARS)],
        ['status', project.overall_status],
        ['to do', `${tasks.todo}`],
        ['doing', `${tasks.doing}`],
        ['done', `${tasks.done}`],
        ['failed', `${project.failed}`],
        ['agents', names.join(', ') || '(none)'],
        ['updated', formatDate(project.updated_at)],
      ],
      style,
    );
  },
});
