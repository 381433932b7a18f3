import { AGENT_ID_PATTERN, type AgentId, type RunId } from '../../../core/ids.ts';
import { RUN_STATUSES, type Run } from '../../../core/runs/run.ts';
import { defineCommand } from '../command.ts';
import { parseError } from '../errors.ts';
import { formatDuration, formatLocalTime, formatModel, formatStatus } from '../format.ts';
import { openRunReader } from '../open-runs.ts';
import { toOneLine } from '../plain-text.ts';
import { durationOf, encodeRun } from '../run-fields.ts';
import { parseRunId } from '../run-id-argument.ts';
import type { Style } from '../style.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 200;

export const runsList = defineCommand({
  usage: '[--status STATUS] [--agent ID] [--limit N] [--cursor RUN]',
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
    if (agent !== undefined && !AGENT_ID_PATTERN.test(agent)) {
      throw parseError(`option --agent must be an agent id (it is ${JSON.stringify(agent)})`, {
        target: 'runs list',
      });
    }
    const before: RunId | undefined =
      cursor === undefined ? undefined : parseRunId(cursor, 'runs list');
    const { via, runs, close } = await openRunReader(context);
    try {
      const page = await runs.list({
        limit,
        ...(status === undefined ? {} : { status }),
        ...(agent === undefined ? {} : { agentId: agent as AgentId }),
        ...(before === undefined ? {} : { before }),
      });
      return { via, ...page };
    } finally {
      await close();
    }
  },
  fields: ({ via, runs, next, unreadable }) => ({
    runs_count: runs.length,
    runs: runs.map(encodeRun),
    next_cursor: next ?? null,
    ...(unreadable === undefined ? {} : { unreadable_run_ids: unreadable }),
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

function formatRow(run: Run, idWidth: number, style: Style): string {
  const columns = [
    run.id.padEnd(idWidth),
    run.status.padEnd(STATUS_WIDTH),
    formatLocalTime(run.createdAtMs),
    formatDuration(durationOf(run)).padStart(DURATION_WIDTH),
    formatModel(run),
  ];
  const used = columns.join('  ').length + 2;
  const message = toOneLine(run.message, Math.max(10, style.width - used));
  columns[1] = formatStatus(run.status, style, STATUS_WIDTH);
  return `${columns.join('  ')}  ${message}`;
}
