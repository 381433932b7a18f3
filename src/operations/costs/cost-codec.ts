import { toIso } from '../../core/clock.ts';
import type { BudgetState, CostSummary } from '../../core/costs/costs.ts';
import { isOver } from '../../core/costs/is-over.ts';
import { toUsd } from '../../core/costs/money.ts';
import type { CostSeries } from '../../core/costs/read-series.ts';
import type { BudgetScope } from '../../core/costs/scope.ts';
import { RuntimeError } from '../../core/errors.ts';
import type {
  BudgetScopeShape,
  BudgetShape,
  CostSeriesShape,
  CostSummaryShape,
} from './cost-shapes.ts';

/** From this share of a budget on it is near its limit. */
const NEAR_PERCENT = 85n;

const CONTROL_ACTIONS = {
  within_budget: ['Nothing to do: spending is within the budget.'],
  near_limit: [
    'Look at which agents spend most, and whether they have to.',
    'Raise the budget before it stops work: claw costs set-budget.',
  ],
  over_budget: [
    'New runs of the project are refused until the budget is raised: claw costs set-budget.',
    'Look at which agents spent most, and what for: claw runs list --project.',
  ],
} as const;

export function encodeSummary(summary: CostSummary): CostSummaryShape {
  const { projectId, spentPico, budgetPico, updatedAtMs } = summary;
  const status = judge(summary);
  return {
    project_id: projectId,
    spent_usd: toUsd(spentPico),
    budget_usd: budgetPico === undefined ? null : toUsd(budgetPico),
    remaining_usd: budgetPico === undefined ? null : toUsd(atLeastNone(budgetPico - spentPico)),
    status,
    control_actions: [...CONTROL_ACTIONS[status]],
    agents: summary.agents.map((agent) => ({
      agent_id: agent.agentId,
      name: agent.name,
      tokens_in: agent.tokensIn,
      tokens_out: agent.tokensOut,
      estimated_usd: toUsd(agent.pico),
      last_activity: toIso(agent.lastAtMs),
    })),
    updated_at: updatedAtMs === undefined ? null : toIso(updatedAtMs),
  };
}

function judge(summary: CostSummary): CostSummaryShape['status'] {
  const { spentPico, budgetPico } = summary;
  if (isOver(summary)) return 'over_budget';
  if (budgetPico === undefined) return 'within_budget';
  return spentPico * 100n >= budgetPico * NEAR_PERCENT ? 'near_limit' : 'within_budget';
}

function atLeastNone(pico: bigint): bigint {
  return pico > 0n ? pico : 0n;
}

export function encodeBudget({
  scope,
  pico,
  tokens,
  spent,
  held,
  updatedAtMs,
}: BudgetState): BudgetShape {
  const left = (cap: bigint | undefined, used: { pico: bigint } | undefined) =>
    cap === undefined || used === undefined
      ? null
      : toUsd(atLeastNone(cap - used.pico - (held?.pico ?? 0n)));
  return {
    scope: scope.kind,
    project_id: 'projectId' in scope ? (scope.projectId ?? null) : null,
    agent_id: 'agentId' in scope ? (scope.agentId ?? null) : null,
    budget_usd: pico === undefined ? null : toUsd(pico),
    budget_tokens: tokens ?? null,
    spent_usd: spent ? toUsd(spent.pico) : null,
    spent_tokens: spent?.tokens ?? null,
    reserved_usd: held ? toUsd(held.pico) : null,
    reserved_tokens: held?.tokens ?? null,
    remaining_usd: left(pico, spent),
    remaining_tokens:
      tokens === undefined || !spent
        ? null
        : Math.max(0, tokens - spent.tokens - (held?.tokens ?? 0)),
    updated_at: toIso(updatedAtMs),
  };
}

/** A project's budget names the project, an agent's the agent; a day may name one of them, a run none. */
export function decodeScope(given: BudgetScopeShape): BudgetScope {
  const { scope: kind, project_id: projectId, agent_id: agentId } = given;
  if (projectId !== undefined && agentId !== undefined) {
    throw invalid('a budget is for a project or for an agent, not for both');
  }
  switch (kind) {
    case 'project':
      if (projectId === undefined)
        throw invalid('project_id is required for a budget of a project');
      return { kind, projectId };
    case 'agent':
      if (agentId === undefined) throw invalid('agent_id is required for a budget of an agent');
      return { kind, agentId };
    case 'day':
      if (projectId !== undefined) return { kind, projectId };
      return agentId === undefined ? { kind } : { kind, agentId };
    case 'run':
      if (projectId !== undefined || agentId !== undefined) {
        throw invalid('a budget of runs is for all of them: leave project_id and agent_id out');
      }
      return { kind };
  }
}

function invalid(message: string): RuntimeError {
  return new RuntimeError('invalid_input', message);
}

export function encodeSeries(read: CostSeries): CostSeriesShape {
  return {
    by: read.by,
    from: read.fromDay,
    through: read.throughDay,
    series: read.series.map(({ id, pico, days }) => ({
      id,
      spent_usd: toUsd(pico),
      days: days.map((one) => ({
        day: one.day,
        spent_usd: toUsd(one.pico),
        tokens_in: one.tokensIn,
        tokens_out: one.tokensOut,
      })),
    })),
    truncated: read.isTruncated,
  };
}
