import * as z from 'zod';
import { defined } from '../../core/defined.ts';
import type { AgentId } from '../../core/ids.ts';
import { visibleTo } from '../../core/principal.ts';
import { isTerminal, RUN_STATUSES, type Run, type RunStatus } from '../../core/runs/run.ts';
import type { RunFilter } from '../../core/runs/run-store.ts';
import type { Runs } from '../../core/runs/runs.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';
import { repairRunArguments } from './repair-run-arguments.ts';
import { agentIdField, limitField, statusField } from './run-fields.ts';
import { createToolTally, type ToolFigures } from './tool-figures.ts';

const DEFAULT_LIMIT = 200;
const MAX_LIMIT = 1_000;
const PAGE_SIZE = 200;
// Each trace is read from the run's log: these two bound one call to a few seconds on a busy store.
const MAX_TRACED_RUNS = 200;
const MAX_TOOL_RESULTS = 10_000;

const input = z.strictObject({
  agent_id: agentIdField('Only runs of this agent.').optional(),
  status: statusField().optional(),
  limit: limitField(
    MAX_LIMIT,
    `How many of the newest runs to count; ${DEFAULT_LIMIT} when left out.`,
  ).optional(),
});

type MetricsReader = Pick<Runs, 'list' | 'trace'>;

interface RunMetrics {
  readonly runs: {
    readonly total: number;
    readonly by_status: Readonly<Record<RunStatus, number>>;
  };
  readonly tools: readonly ToolFigures[];
  /** How many runs the figures of tools come from. */
  readonly runs_traced: number;
  /** Whether a limit left runs or tool calls out. */
  readonly truncated: boolean;
}

export function createMetricsGet(runs: MetricsReader): Tool {
  return defineTool<z.infer<typeof input>, RunMetrics>({
    name: 'metrics.get',
    description:
      'Figures over the newest runs: how many have which status, and for each tool its calls, errors and durations. ' +
      `Tools are counted in at most ${MAX_TRACED_RUNS} runs; truncated says whether something was left out.`,
    effect: 'read',
    serves: 'everyone',
    source: 'src/toolbox/runs/metrics-get.ts',
    input,
    repair: repairRunArguments,
    summarize: (_, output) =>
      `counted ${output.runs.total} run(s) and ${output.tools.length} tool(s)`,

    async execute({ agent_id, status, limit = DEFAULT_LIMIT }, { principal, signal }) {
      const filter = {
        ...visibleTo(principal),
        ...defined({ status, agentId: agent_id as AgentId | undefined }),
      };
      const { counted, hasMore } = await readRuns(runs, { filter, limit, signal });
      const traced = await tallyTools(runs, counted, signal);
      return {
        runs: { total: counted.length, by_status: countStatuses(counted) },
        tools: traced.figures,
        runs_traced: traced.runs,
        truncated: hasMore || traced.truncated,
      };
    },
  });
}

interface Reading {
  readonly filter: Omit<RunFilter, 'limit' | 'before'>;
  readonly limit: number;
  readonly signal: AbortSignal;
}

async function readRuns(runs: MetricsReader, { filter, limit, signal }: Reading) {
  const counted: Run[] = [];
  let hasMore = true;
  while (hasMore && counted.length < limit) {
    signal.throwIfAborted();
    const before = counted.at(-1)?.id;
    const page = await runs.list({
      ...filter,
      limit: Math.min(PAGE_SIZE, limit - counted.length),
      ...defined({ before }),
    });
    counted.push(...page.runs);
    hasMore = page.next !== undefined && page.runs.length > 0;
  }
  return { counted, hasMore };
}

async function tallyTools(runs: MetricsReader, counted: readonly Run[], signal: AbortSignal) {
  const tally = createToolTally();
  // A run's totals are written when it ends, so those of a run under way say nothing.
  const used = counted.filter((run) => run.totals.toolCalls > 0 || !isTerminal(run.status));
  let traced = 0;
  let truncated = false;
  for (const run of used.slice(0, MAX_TRACED_RUNS)) {
    signal.throwIfAborted();
    if (tally.size >= MAX_TOOL_RESULTS) break;
    const trace = await runs.trace(run.id);
    tally.add(trace.toolResults);
    truncated ||= trace.truncated;
    traced += 1;
  }
  return { figures: tally.figures(), runs: traced, truncated: truncated || traced < used.length };
}

function countStatuses(runs: readonly Run[]): Record<RunStatus, number> {
  const counts = Object.fromEntries(RUN_STATUSES.map((status) => [status, 0]));
  for (const { status } of runs) counts[status] = (counts[status] ?? 0) + 1;
  return counts as Record<RunStatus, number>;
}
