import { describe, expect, test } from 'vitest';
import { TEST_ENGINES, type TestEngine } from '../../support/test-engines.ts';
import { openApiServer } from './open-api-server.ts';

const SUMMARY = '/api/costs/summary';
const USAGE = '/api/costs/usage';
const BUDGETS = '/api/costs/budgets';
const AT = '2026-02-15T10:00:00.000Z';

const EMPTY = {
  project_id: 'proj_001',
  spent_usd: 0,
  budget_usd: null,
  remaining_usd: null,
  status: 'within_budget',
  control_actions: ['Nothing to do: spending is within the budget.'],
  agents: [],
  updated_at: null,
};

const REPORT = {
  project_id: 'proj_001',
  agent_id: 'lince',
  agent_name: 'Lince',
  tokens_in: 1200,
  tokens_out: 300,
  cost_usd: 0.1,
  timestamp: AT,
};

const LINCE = {
  agent_id: 'lince',
  name: 'Lince',
  tokens_in: 1200,
  tokens_out: 300,
  estimated_usd: 0.1,
  last_activity: AT,
};

for (const engine of TEST_ENGINES) {
  describe.skipIf(!engine.available)(`costs on ${engine.name}`, () => describeCosts(engine));
}

function describeCosts(engine: TestEngine): void {
  test('tells what was spent day by day, the costliest first', async () => {
    const server = await openApiServer({ engine });
    await server.post(USAGE, REPORT);
    await server.post(USAGE, { ...REPORT, timestamp: '2026-02-14T10:00:00Z', cost_usd: '0.2' });
    await server.post(USAGE, { ...REPORT, agent_id: 'sastre', project_id: 'p2', cost_usd: 1 });

    const range = 'from=2026-02-14&through=2026-02-15';
    const agents = await server.call(`/api/costs/series?by=agent&${range}`);
    const total = await server.call('/api/costs/series?from=2026-02-15&through=2026-02-15');
    const projects = await server.call(`/api/costs/series?by=project&${range}`);

    const day = (name: string, spent_usd: number, times = 1) => ({
      day: name,
      spent_usd,
      tokens_in: 1200 * times,
      tokens_out: 300 * times,
    });
    expect([agents.status, agents.body]).toEqual([
      200,
      {
        by: 'agent',
        from: '2026-02-14',
        through: '2026-02-15',
        series: [
          { id: 'sastre', spent_usd: 1, days: [day('2026-02-15', 1)] },
          {
            id: 'lince',
            spent_usd: 0.3,
            days: [day('2026-02-14', 0.2), day('2026-02-15', 0.1)],
          },
        ],
        truncated: false,
      },
    ]);
    expect(total.body).toMatchObject({
      by: 'total',
      series: [{ id: '', spent_usd: 1.1, days: [day('2026-02-15', 1.1, 2)] }],
    });
    expect(projects.body).toMatchObject({ series: [{ id: 'p2' }, { id: 'proj_001' }] });
  });

  test.each(['from=2026-02-16&through=2026-02-15', 'from=2025-01-01&through=2026-02-15', 'from=x'])(
    'refuses the days %s',
    async (query) => {
      const server = await openApiServer({ engine });

      expect((await server.call(`/api/costs/series?${query}`)).status).toBe(400);
    },
  );

  test('reports add up exactly, each key once, and reading creates nothing', async () => {
    const server = await openApiServer({ engine });
    const keyed = { ...REPORT, cost_usd: '0.2', key: 'k1' };

    const empty = await server.call(SUMMARY);
    const first = await server.post(USAGE, REPORT);
    const second = await server.post(USAGE, keyed);
    const again = await server.post(USAGE, keyed);
    const other = await server.post(USAGE, { ...keyed, cost_usd: '0.3' });
    const read = await server.call(`${SUMMARY}?project_id=proj_001`);

    expect([empty.status, empty.body]).toEqual([200, EMPTY]);
    const one = { ...EMPTY, spent_usd: 0.1, agents: [LINCE], updated_at: AT };
    expect([first.status, first.body]).toEqual([202, { status: 'recorded', summary: one }]);
    const both = {
      ...one,
      spent_usd: 0.3,
      agents: [{ ...LINCE, tokens_in: 2400, tokens_out: 600, estimated_usd: 0.3 }],
    };
    expect([second.status, second.body]).toEqual([202, { status: 'recorded', summary: both }]);
    expect([again.status, again.body]).toEqual([202, { status: 'recorded', summary: both }]);
    expect([other.status, other.body]).toEqual([
      409,
      {
        error: {
          code: 'conflict',
          message: 'the key was used for another usage',
          details: {
            taxonomy: 'resource',
            recovery_action: 'Report another usage under a key of its own.',
            key: 'k1',
          },
        },
      },
    ]);
    expect([read.status, read.body]).toEqual([200, both]);
    expect((await server.call(BUDGETS)).body).toEqual({ budgets: [] });
  });

  test('a budget is near its limit, then over it, and over it new work is refused', async () => {
    const server = await openApiServer({ engine });
    const patch = { method: 'PATCH', body: { project_id: 'proj_001', budget_usd: 1 } };

    const set = await server.call(SUMMARY, patch);
    await server.post(USAGE, { ...REPORT, cost_usd: 0.85 });
    const near = await server.call(SUMMARY);
    const over = await server.post(USAGE, { ...REPORT, cost_usd: 0.150000000001 });
    const run = { agent_id: 'agent_default', message: 'hello', project_id: 'proj_001' };
    const refused = await server.post('/v1/runs', run);
    const elsewhere = await server.post('/v1/runs', { ...run, project_id: 'proj_002' });
    const events = await server.call('/api/observability/summary');

    expect([set.status, set.body]).toEqual([200, { ...EMPTY, budget_usd: 1, remaining_usd: 1 }]);
    expect(near.body).toMatchObject({ spent_usd: 0.85, remaining_usd: 0.15, status: 'near_limit' });
    expect([over.status, over.body]).toMatchObject([
      202,
      {
        summary: {
          ...{ spent_usd: 1.000000000001, budget_usd: 1, remaining_usd: 0, status: 'over_budget' },
          control_actions: [
            'New runs of the project are refused until the budget is raised: claw costs set-budget.',
            'Look at which agents spent most, and what for: claw runs list --project.',
          ],
        },
      },
    ]);
    expect([refused.status, refused.body]).toEqual([
      429,
      {
        error: {
          code: 'budget.exceeded',
          message:
            'the budget of project proj_001 in US dollars is used up; raise it with claw costs set-budget',
        },
      },
    ]);
    expect(elsewhere.status).toBe(202);
    expect(events.body).toMatchObject({
      security_event_counters: [{ key: 'project_budget_overrun', count: 2 }],
    });
  });

  test('budgets are set, listed with what is left of them, and removed', async () => {
    const server = await openApiServer({ engine });
    await server.post(USAGE, { ...REPORT, timestamp: undefined });
    const put = (body: object) => server.call(BUDGETS, { method: 'PUT', body });
    const day = { scope: 'day', project_id: null, agent_id: null };

    const set = await put({ scope: 'day', budget_usd: '0.5', budget_tokens: 2000 });
    await put({ scope: 'agent', agent_id: 'Pincer', budget_tokens: 10 });
    await put({ scope: 'run', budget_usd: 2 });
    const listed = await server.call(BUDGETS);
    const removed = await server.call(`${BUDGETS}?scope=run`, { method: 'DELETE' });
    const again = await server.call(`${BUDGETS}?scope=run`, { method: 'DELETE' });

    const updated_at = expect.stringMatching(/^\d{4}-/);
    const none = { spent_usd: 0, spent_tokens: 0, reserved_usd: 0, reserved_tokens: 0 };
    const ofDay = {
      ...{ ...day, budget_usd: 0.5, budget_tokens: 2000, ...none },
      ...{ spent_usd: 0.1, spent_tokens: 1500, remaining_usd: 0.4, remaining_tokens: 500 },
      updated_at,
    };
    expect([set.status, set.body]).toEqual([200, ofDay]);
    expect(listed.body).toEqual({
      budgets: [
        {
          ...{ scope: 'agent', project_id: null, agent_id: 'agent_default', budget_usd: null },
          ...{ budget_tokens: 10, ...none, remaining_usd: null, remaining_tokens: 10, updated_at },
        },
        ofDay,
        {
          ...{ scope: 'run', project_id: null, agent_id: null, budget_usd: 2, budget_tokens: null },
          ...{ spent_usd: null, spent_tokens: null, reserved_usd: null, reserved_tokens: null },
          ...{ remaining_usd: null, remaining_tokens: null, updated_at },
        },
      ],
    });
    expect([removed.status, removed.body]).toEqual([200, { removed: true }]);
    expect([again.status, again.body]).toMatchObject([404, { error: { code: 'not_found' } }]);
  });
}

const INVALID = 'validation_error';

test.each([
  ['GET', `${SUMMARY}?project_id=`, undefined],
  ['GET', `${SUMMARY}?project_id=%20`, undefined],
  ['PATCH', SUMMARY, { project_id: 'p', budget_usd: 0 }],
  ['PATCH', SUMMARY, { project_id: 'p', budget_usd: -1 }],
  ['PATCH', SUMMARY, { project_id: 'p', budget_usd: '1e400' }],
  ['POST', USAGE, { ...REPORT, cost_usd: -0.1 }],
  ['POST', USAGE, { ...REPORT, cost_usd: '0.0000000000001' }],
  ['POST', USAGE, { ...REPORT, tokens_in: -1 }],
  ['POST', USAGE, { ...REPORT, tokens_in: 1.5 }],
  ['POST', USAGE, { ...REPORT, tokens_in: Number.MAX_SAFE_INTEGER }],
  ['POST', USAGE, { ...REPORT, tokens_out: '9007199254740' }],
  ['POST', USAGE, { ...REPORT, agent_id: '' }],
  ['POST', USAGE, { ...REPORT, project_id: 'x'.repeat(200) }],
  ['POST', USAGE, { ...REPORT, agent_id: 'a\0b' }],
  ['POST', USAGE, { ...REPORT, timestamp: 'yesterday' }],
  ['POST', USAGE, { ...REPORT, timestamp: '2999-01-01T00:00:00Z' }],
  ['PUT', BUDGETS, { scope: 'project', budget_usd: 1 }],
  ['PUT', BUDGETS, { scope: 'month', budget_usd: 1 }],
  ['PUT', BUDGETS, { scope: 'run', project_id: 'p', budget_usd: 1 }],
  ['PUT', BUDGETS, { scope: 'day', project_id: 'p', agent_id: 'a', budget_usd: 1 }],
  ['PUT', BUDGETS, { scope: 'day' }],
])('refuses %s %s %j', async (method, path, body) => {
  const server = await openApiServer();

  const answer = await server.call(path, { method, ...(body && { body }) });

  expect([answer.status, answer.body]).toMatchObject([400, { error: { code: INVALID } }]);
});

test('a budget for an agent that does not exist is 404', async () => {
  const server = await openApiServer();

  const body = { scope: 'agent', agent_id: 'nobody', budget_usd: 1 };
  const answer = await server.call(BUDGETS, { method: 'PUT', body });

  expect([answer.status, answer.body]).toMatchObject([
    404,
    { error: { code: 'not_found', details: { thing: 'agent', taxonomy: 'resource' } } },
  ]);
});
