import { expect, test } from 'vitest';
import type { ZodObject } from 'zod';
import { commandAnswered, messageQueued } from '../../../src/operations/chat/chat-shapes.ts';
import { errorEnvelope } from '../../../src/operations/fields.ts';
import {
  cancelReceipt,
  runCreated,
  runDetail,
  runEvent,
  runList,
  runSummary,
} from '../../../src/operations/runs/run-shapes.ts';
import { health } from '../../../src/surfaces/v1/service-schema.ts';
import { openEvents } from './event-reader.ts';
import { AGENT, append, finish, openTestServer, start, type TestServer } from './test-server.ts';

/** Problems of an answer with its documented shape; a field that the document does not know is one too. */
function problemsOf(schema: ZodObject, body: unknown) {
  return schema.strict().safeParse(body).error?.issues ?? [];
}

async function seedRun(server: TestServer, id: string): Promise<void> {
  const lease = await start(server, id);
  const call = { request_id: 'req_1', tool: 'fs.read', tool_call_id: 'c1' };
  await append(
    server,
    lease,
    { type: 'tool.call', payload: { ...call, input: { path: 'a.txt' } } },
    {
      type: 'tool.result',
      payload: { ...call, ok: true, output: { text: 'hi' }, error: null, duration_ms: 3 },
    },
  );
  await finish(server, lease, {
    status: 'failed',
    stopReason: 'failed',
    output: 'half',
    error: { code: 'timeout', message: 'too slow' },
    totals: { turns: 1, toolCalls: 1, inputTokens: 12, outputTokens: 7, costUsd: 0.5 },
  });
}

test('every answer has the shape that its schema and so the OpenAPI document say', async () => {
  const server = await openTestServer();
  await seedRun(server, 'run_1');
  const reader = await openEvents(server.port, '/v1/runs/run_1/events');
  await reader.ended;
  const events = reader.frames().flatMap(({ event, data }) => (event === 'done' ? [] : [data]));

  const created = await server.post('/v1/runs', { agent_id: AGENT, message: 'hello' });
  const { id } = created.body as { id: string };
  const cancelled = await server.post(`/v1/runs/${id}/cancel`, {});
  const again = await server.post(`/v1/runs/${id}/cancel`, {});
  const detail = await server.call('/v1/runs/run_1');
  const list = await server.call('/v1/runs');
  const missing = await server.call('/v1/runs/run_0');
  const ok = await server.call('/healthz');
  const queued = await server.post('/v1/chat/messages', { user_id: 'ana', message: 'hi' });
  const answered = await server.post('/v1/chat/messages', { user_id: 'ana', message: '/new' });

  const { runs } = list.body as { runs: unknown[] };
  expect(events).toHaveLength(5);
  expect(runs).toHaveLength(2);
  expect([
    ...problemsOf(runCreated, created.body),
    ...problemsOf(cancelReceipt, cancelled.body),
    ...problemsOf(cancelReceipt, again.body),
    ...problemsOf(runDetail, detail.body),
    ...problemsOf(runList, list.body),
    ...runs.flatMap((run) => problemsOf(runSummary, run)),
    ...problemsOf(errorEnvelope, missing.body),
    ...problemsOf(health, ok.body),
    ...problemsOf(messageQueued, queued.body),
    ...problemsOf(commandAnswered, answered.body),
    ...events.flatMap((data) => problemsOf(runEvent, JSON.parse(data))),
  ]).toEqual([]);
});
