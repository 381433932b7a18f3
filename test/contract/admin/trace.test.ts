import { expect, test } from 'vitest';
import { openAdminServer, seal, startRun } from './test-admin-server.ts';

test('shows what a run did with tools', async () => {
  const server = await openAdminServer();
  const lease = await startRun(server, 'run_1');
  const call = { request_id: 'req_1', tool: 'time.now', tool_call_id: 'call_1' };
  await server.storage.runs.append(lease, [
    seal({ type: 'tool.call', payload: { ...call, input: { zone: 'UTC' } } }),
    seal({
      type: 'tool.result',
      payload: { ...call, ok: true, summary: 'noon', output: { time: '12:00' }, duration_ms: 3 },
    }),
  ]);

  const answer = await server.call('/api/admin/runs/run_1/trace');

  expect([answer.status, answer.body]).toEqual([
    200,
    {
      run_id: 'run_1',
      trace: {
        tool_execution_results: [
          {
            tool: 'time.now',
            tool_call_id: 'call_1',
            summary: 'noon',
            output: '{"time":"12:00"}',
            error: '',
            arguments: { zone: 'UTC' },
            duration_ms: 3,
          },
        ],
      },
    },
  ]);
});

test.each([
  ['run_none', 404, 'run.not_found', 'run run_none does not exist'],
  ['..%2Fx', 400, 'invalid.request', 'run_id must be 1 to 128 letters, digits, _ or -'],
])('answers the trace of %s with %s', async (id, status, code, message) => {
  const server = await openAdminServer();

  const answer = await server.call(`/api/admin/runs/${id}/trace`);

  expect([answer.status, answer.body]).toEqual([status, { error: { code, message } }]);
});
