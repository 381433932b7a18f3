import { expect, test } from 'vitest';
import { leaveUnknown, openAdminServer, park, START, startRun } from './test-admin-server.ts';

const NO_RUNS = {
  queued: 0,
  running: 0,
  waiting: 0,
  cancelling: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
};

const RUN = {
  id: 'run_1',
  agent_id: 'agent_default',
  source: 'test',
  status: 'running',
  output: '',
  artifact_path: '.openclawssy/agents/agent_default/runs/run_1',
  duration_ms: 0,
  tool_calls: 0,
  provider: '',
  model: '',
  message: 'hello',
  stop_reason: null,
  usage: { input_tokens: 0, output_tokens: 0, cost_usd: 0 },
  created_at: START,
  updated_at: START,
  last_seq: 2,
};

test('shows a runtime that has done nothing yet', async () => {
  const server = await openAdminServer();
  server.clock.advance(90_500);

  const answer = await server.call('/api/admin/status');

  expect([answer.status, answer.body]).toEqual([
    200,
    {
      run_count: 0,
      runs: [],
      counts: NO_RUNS,
      model: { provider: 'offline', name: 'rules' },
      version: '0.0.0-test',
      engine: 'sqlite',
      started_at: START,
      uptime_seconds: 90,
      scheduler: { enabled: true, paused: false, jobs: 0, next: null },
      queue: { queued: 0, running: 0, max_queued: 100, max_concurrent: 4 },
      kill_switch: { on: false, reason: '', by: null, changed_at: null },
      effects: { unknown: 0 },
      approvals: { pending: 0 },
      spend_today: { day: '2026-02-15', usd: 0, tokens_in: 0, tokens_out: 0 },
      circuits: { open: [] },
      warnings: ['the token is short'],
    },
  ]);
});

test('shows runs newest first, and counts what waits for a person', async () => {
  const server = await openAdminServer();
  await startRun(server, 'run_1');
  server.clock.advance(1);
  await leaveUnknown(server, 'run_2', 'req_1');
  server.clock.advance(1);
  await park(server, 'run_3', 'appr_1');

  const all = await server.call('/api/admin/status');
  const two = await server.call('/api/admin/status?limit=2');

  const { runs } = all.body as { runs: { id: string }[] };
  expect(all.body).toMatchObject({
    run_count: 3,
    counts: { ...NO_RUNS, running: 2, waiting: 1 },
    queue: { queued: 0, running: 2 },
    effects: { unknown: 1 },
    approvals: { pending: 1 },
  });
  expect(runs.map(({ id }) => id)).toEqual(['run_3', 'run_2', 'run_1']);
  expect(runs[2]).toEqual(RUN);
  expect(two.body).toMatchObject({ run_count: 3, runs: [{ id: 'run_3' }, { id: 'run_2' }] });
});

test('tells what today costs, and which tools are cut off', async () => {
  const server = await openAdminServer();
  const record = (atMs: number, pico: string) =>
    server.storage.costs.record({
      projectId: 'proj_1',
      agentId: 'agent_default',
      agentName: undefined,
      tokensIn: 100,
      tokensOut: 20,
      pico,
      atMs,
      key: undefined,
      digest: '',
    });
  await record(server.clock.nowMs(), '12500000000');
  await record(server.clock.nowMs() - 24 * 3_600_000, '990000000000');
  await server.post('/api/admin/tools/mail.send/circuit-breaker/open', undefined);

  const { body } = await server.call('/api/admin/status');

  expect(body).toMatchObject({
    spend_today: { day: '2026-02-15', usd: 0.0125, tokens_in: 100, tokens_out: 20 },
    circuits: { open: ['mail.send'] },
  });
});

test.each([
  ['limit=0', 'limit must be at least 1'],
  ['limit=501', 'limit must be at most 500'],
  ['verbose=1', 'unknown query parameter: verbose'],
])('refuses the query %s', async (query, message) => {
  const server = await openAdminServer();

  const answer = await server.call(`/api/admin/status?${query}`);

  expect([answer.status, answer.body]).toEqual([
    400,
    { error: { code: 'invalid.request', message } },
  ]);
});
