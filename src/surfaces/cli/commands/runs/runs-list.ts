import { defined } from '../../../../core/defined.ts';
import { RUN_STATUSES } from '../../../../core/runs/run.ts';
import { encodeCursor } from '../../../../operations/cursor.ts';
import { decodeRunCursor } from '../../../../operations/runs/run-codec.ts';
import type { RunSummary } from '../../../../operations/runs/run-shapes.ts';
import { listRuns } from '../../../../operations/runs/runs.ts';
import { parseAgentOption } from '../../admin-arguments.ts';
import { askRuns } from '../../ask/ask-runs.ts';
import { formatDuration, formatLocalTime, formatModel, formatStatus } from '../../print/format.ts';
import { toOneLine } from '../../print/plain-text.ts';
import type { Style } from '../../print/style.ts';
import { defineCommand } from '../../program/command.ts';
import { parseProject, projectOption } from '../../project-option.ts';
import { toRunFields } from './run-fields.ts';
import { parseRunId } from './run-id-argument.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 200;

export const runsList = defineCommand({
  usage: '[--status STATUS] [--agent ID] [--project ID] [--limit N] [--cursor RUN]',
  description: 'Newest first. Asks the running server, else reads the database.',
  args: { min: 0, max: 0 },
  options: {
    status: {
      kind: 'choice',
      value: 'STATUS',
      choices: RUN_STATUSES,
      summary: `only runs with this status: ${RUN_STATUSES.join(', ')}`,
    },
    agent: { kind: 'text', value: 'ID', summary: 'only runs of this agent' },
    project: projectOption('only runs of this project'),
    limit: {
      kind: 'number',
      value: 'N',
      min: 1,
      max: MAX_LIMIT,
      isWhole: true,
      summary: `at most this many runs (default ${DEFAULT_LIMIT}, at most ${MAX_LIMIT})`,
    },
    cursor: {
      kind: 'text',
      value: 'RUN',
      summary: 'go on after this run: the next_cursor of the page before',
    },
  },
  examples: ['claw runs list --status failed', 'claw runs list --limit 5 --output-format json'],
  async run({ options }, context) {
    const { status, agent, limit = DEFAULT_LIMIT, cursor } = options;
    const { via, answer } = await askRuns(context, listRuns, {
      query: {
        limit,
        status,
        agent_id: agent === undefined ? undefined : parseAgentOption(agent, 'runs list'),
        project_id: parseProject(options.project, 'runs list'),
        // Here a cursor is the last run's id, with a server and without one.
        cursor: cursor === undefined ? undefined : encodeCursor(parseRunId(cursor, 'runs list')),
      },
    });
    const { runs, next_cursor: next, unreadable_run_ids: unreadable } = answer;
    return { via, runs, next: next === null ? undefined : decodeRunCursor(next), unreadable };
  },
  fields: ({ via, runs, next, unreadable }) => ({
    runs_count: runs.length,
    runs: runs.map(toRunFields),
    next_cursor: next ?? null,
    ...defined({ unreadable_run_ids: unreadable }),
    via,
  }),
  text({ runs, next, unreadable = [] }, style) {
    if (runs.length + unreadable.length === 0) return '(no runs)';
    const idWidth = Math.max(...runs.map(({ id }) => id.length));
    const rows = runs.map((run) => formatRow(run, idWidth, style));
    const damaged = unreadable.map((id) => `${id}  can not be read: its row is damaged`);
    const more = next === undefined ? [] : [style.dim(`more: --cursor ${next}`)];
    return [...rows, ...damaged, ...more].join('\n');
  },
});

const STATUS_WIDTH = 'cancelling'.length;
const DURATION_WIDTH = 9;

function formatRow(run: RunSummary, idWidth: number, style: Style): string {
  const columns = [
    run.id.padEnd(idWidth),
    run.status.padEnd(STATUS_WIDTH),
    formatLocalTime(Date.parse(run.created_at)),
    formatDuration(run.duration_ms).padStart(DURATION_WIDTH),
    formatModel(run),
  ];
  const used = columns.join('  ').length + 2;
  const message = toOneLine(run.message, Math.max(10, style.width - used));
  columns[1] = formatStatus(run.status, style, STATUS_WIDTH);
  return `${columns.join('  ')}  ${message}`;
}
