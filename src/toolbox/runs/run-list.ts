import * as z from 'zod';
import { defined } from '../../core/defined.ts';
import type { AgentId, RunId } from '../../core/ids.ts';
import type { JsonObject } from '../../core/json.ts';
import { visibleTo } from '../../core/principal.ts';
import type { Runs } from '../../core/runs/runs.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';
import { describeRun } from './describe-run.ts';
import { getVisible } from './get-visible.ts';
import { repairRunArguments } from './repair-run-arguments.ts';
import { agentIdField, limitField, runIdField, statusField } from './run-fields.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

const input = z.strictObject({
  limit: limitField(
    MAX_LIMIT,
    `The most runs to return; ${DEFAULT_LIMIT} when left out.`,
  ).optional(),
  status: statusField().optional(),
  agent_id: agentIdField('Only runs of this agent.').optional(),
  before: runIdField('Go on behind this run: next of the previous answer.').optional(),
});

interface RunListing {
  /** Newest first. */
  readonly runs: readonly JsonObject[];
  /** Only when there are more. */
  readonly next?: string;
}

export function createRunList(runs: Pick<Runs, 'list' | 'get'>): Tool {
  return defineTool<z.infer<typeof input>, RunListing>({
    name: 'run.list',
    description:
      'List runs of this runtime, newest first, also of other agents, as far as you may see them. When next is there, ask again with before set to it.',
    effect: 'read',
    serves: 'everyone',
    source: 'src/toolbox/runs/run-list.ts',
    input,
    repair: repairRunArguments,
    summarize: (_, output) => `listed ${output.runs.length} run(s)`,

    async execute({ limit = DEFAULT_LIMIT, status, agent_id, before }, { principal }) {
      if (before !== undefined) await getVisible(runs, before as RunId, principal);
      const page = await runs.list({
        limit,
        ...visibleTo(principal),
        ...defined({
          status,
          agentId: agent_id as AgentId | undefined,
          before: before as RunId | undefined,
        }),
      });
      const listed = page.runs.map(describeRun);
      return page.next === undefined ? { runs: listed } : { runs: listed, next: page.next };
    },
  });
}
