import type { Costs } from '../../core/costs/costs.ts';
import { parseUsd } from '../../core/costs/money.ts';
import { RuntimeError } from '../../core/errors.ts';
import { DEFAULT_PROJECT_ID } from '../../core/projects/project-id.ts';
import { type AnyOperation, answer, operationsWith } from '../operation.ts';
import { decodeScope, encodeBudget, encodeSeries, encodeSummary } from './cost-codec.ts';

export interface CostReading {
  readonly costs: Pick<Costs, 'summarize' | 'listBudgets' | 'series'>;
}

export interface CostWriting {
  readonly costs: Costs;
}

const define = operationsWith(() => import('./cost-shapes.ts'));

const TAGS = ['costs'];
const SUMMARY = '/api/costs/summary';
const BUDGETS = '/api/costs/budgets';
/** As the panel of contract 2 asks, which began with this one. */
const READ_ERRORS = [400, 401, 403, 429, 500, 503] as const;
const WRITE_ERRORS = [400, 401, 403, 404, 409, 413, 415, 429, 500, 503] as const;

export const readCosts = define({
  name: 'costs.summary',
  method: 'GET',
  path: SUMMARY,
  effect: 'read',
  summary: 'What a project costs',
  description: 'By agent, with its budget. Zeros for a project that nobody has heard of.',
  tags: TAGS,
  errors: READ_ERRORS,
  wire: ({ summaryQuery, costSummary }) => ({
    query: summaryQuery,
    answers: { 200: answer('The summary.', costSummary) },
  }),
  run: async ({ costs }: CostReading, { query: { project_id: id = DEFAULT_PROJECT_ID } }) =>
    encodeSummary(await costs.summarize(id)),
});

export const readCostSeries = define({
  name: 'costs.series',
  method: 'GET',
  path: '/api/costs/series',
  effect: 'read',
  summary: 'What was spent day by day',
  description:
    'In all, or by agent, model or project; up to 92 days of UTC, kept for 400. A run counts on the day that it ends, or ' +
    'that its calls were reserved on, and as the last model that it asked.',
  tags: TAGS,
  errors: READ_ERRORS,
  wire: ({ seriesQuery, costSeries }) => ({
    query: seriesQuery,
    answers: { 200: answer('A line each, the costliest first.', costSeries) },
  }),
  run: async ({ costs }: CostReading, { query: { by, from, through } }) =>
    encodeSeries(await costs.series({ by, fromDay: from, throughDay: through })),
});

export const changeBudget = define({
  name: 'costs.change_budget',
  method: 'PATCH',
  path: SUMMARY,
  effect: 'write',
  summary: "Set a project's budget",
  description: 'In US dollars, more than 0. A cap in tokens that it has stays.',
  tags: TAGS,
  errors: WRITE_ERRORS,
  wire: ({ summaryBody, costSummary }) => ({
    body: summaryBody,
    answers: { 200: answer('The summary after the change.', costSummary) },
  }),
  async run({ costs }: CostWriting, { body: { project_id: projectId, budget_usd: usd } }) {
    const pico = parseUsd(usd, 'budget_usd');
    if (pico === 0n) throw new RuntimeError('invalid_input', 'budget_usd must be greater than 0');
    const scope = { kind: 'project', projectId } as const;
    const known = (await costs.listBudgets()).find(
      ({ scope: one }) => one.kind === 'project' && one.projectId === projectId,
    );
    await costs.setBudget({ scope, pico, tokens: known?.tokens });
    return encodeSummary(await costs.summarize(projectId));
  },
});

export const recordUsage = define({
  name: 'costs.record',
  method: 'POST',
  path: '/api/costs/usage',
  effect: 'write',
  isRepeatable: 'by_key',
  summary: 'Report what was spent elsewhere',
  description:
    'Counted also when it is more than a budget allows: it is spent. The same again under one key counts once, another ' +
    'usage under it is 409; keys are kept for 90 days.',
  tags: TAGS,
  errors: WRITE_ERRORS,
  wire: ({ usageHeaders, usageBody, usageRecorded }) => ({
    headers: usageHeaders,
    body: usageBody,
    answers: { 202: answer('It is recorded.', usageRecorded) },
  }),
  async run({ costs }: CostWriting, { headers, body }) {
    const summary = await costs.record({
      projectId: body.project_id,
      agent: body.agent_id,
      agentName: body.agent_name,
      tokensIn: Number(body.tokens_in),
      tokensOut: Number(body.tokens_out),
      pico: parseUsd(body.cost_usd, 'cost_usd'),
      atMs: body.timestamp === undefined ? undefined : Date.parse(body.timestamp),
      key: body.key ?? headers['idempotency-key'],
    });
    return { status: 'recorded' as const, summary: encodeSummary(summary) };
  },
});

export const listBudgets = define({
  name: 'costs.budgets',
  method: 'GET',
  path: BUDGETS,
  effect: 'read',
  summary: 'List budgets',
  description:
    'All of them, at most 500, with what is spent, reserved and left; days are today, in UTC.',
  tags: TAGS,
  errors: READ_ERRORS,
  wire: ({ budgetList }) => ({ answers: { 200: answer('The budgets.', budgetList) } }),
  run: async ({ costs }: CostReading) => ({
    budgets: (await costs.listBudgets()).map(encodeBudget),
  }),
});

export const setBudget = define({
  name: 'costs.set_budget',
  method: 'PUT',
  path: BUDGETS,
  effect: 'write',
  isRepeatable: true,
  summary: 'Set a budget',
  description:
    'Of a project, an agent, a day or any run, in US dollars, tokens or both; what is left out has no cap.',
  tags: TAGS,
  errors: WRITE_ERRORS,
  wire: ({ budgetBody, budget }) => ({
    body: budgetBody,
    answers: { 200: answer('The budget.', budget) },
  }),
  async run({ costs }: CostWriting, { body }) {
    const { budget_usd: usd = null, budget_tokens: tokens = null } = body;
    if (usd === null && tokens === null) {
      throw new RuntimeError('invalid_input', 'budget_usd or budget_tokens is required');
    }
    const pico = usd === null ? undefined : parseUsd(usd, 'budget_usd');
    const scope = decodeScope(body);
    return encodeBudget(await costs.setBudget({ scope, pico, tokens: tokens ?? undefined }));
  },
});

export const removeBudget = define({
  name: 'costs.remove_budget',
  method: 'DELETE',
  path: BUDGETS,
  effect: 'write',
  summary: 'Remove a budget',
  description: 'What was spent stays counted.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 429, 500, 503],
  wire: ({ budgetQuery, budgetRemoved }) => ({
    query: budgetQuery,
    answers: { 200: answer('It is gone.', budgetRemoved) },
  }),
  async run({ costs }: CostWriting, { query }) {
    await costs.removeBudget(decodeScope(query));
    return { removed: true as const };
  },
});

export const COST_OPERATIONS: readonly AnyOperation<CostWriting>[] = [
  readCosts,
  readCostSeries,
  changeBudget,
  recordUsage,
  listBudgets,
  setBudget,
  removeBudget,
];
