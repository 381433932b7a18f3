import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../../core/clock.ts';
import type { Event } from '../../../core/events/event.ts';
import type { AgentId, RunId } from '../../../core/ids.ts';
import { createRemoteRuns } from './remote-runs.ts';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

/** A loopback server that plays `/v1`, and the runs behind it. */
async function openRuns(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const address = { url: `http://127.0.0.1:${port}`, token: 'secret' };
  return createRemoteRuns({ server: address, locate: async () => address, clock: systemClock });
}

const RUN_ID = 'run_1' as RunId;

const WIRE_RUN = {
  id: RUN_ID,
  agent_id: 'agent_default',
  source: 'http',
  status: 'completed',
  output: 'done',
  duration_ms: 250,
  tool_calls: 2,
  provider: 'offline',
  model: 'rules',
  message: 'hello',
  stop_reason: 'completed',
  usage: { input_tokens: 3, output_tokens: 4, cost_usd: 0.5 },
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:01.000Z',
  last_seq: 9,
  trace: { tool_execution_results: [] },
  later: 'a field of a newer server',
};

function wireEvent(seq: number, type: string): string {
  const event = {
    event_id: `evt_${seq}`,
    event_type: type,
    ts: '2026-01-01T00:00:00.000Z',
    run_id: RUN_ID,
    agent_id: 'a',
    seq,
    actor: 'system',
    payload: {},
  };
  return `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify(event)}\n\n`;
}

test('a run is read as the core has it, with the token', async () => {
  const seen: (string | undefined)[] = [];
  const runs = await openRuns((request, response) => {
    seen.push(request.headers.authorization, request.url);
    response.end(JSON.stringify(WIRE_RUN));
  });

  const run = await runs.get(RUN_ID);

  expect(seen).toEqual(['Bearer secret', '/v1/runs/run_1']);
  expect(run).toEqual({
    id: 'run_1',
    agentId: 'agent_default',
    owner: 'operator',
    sessionId: undefined,
    source: 'http',
    status: 'completed',
    message: 'hello',
    lastSeq: 9,
    output: 'done',
    stopReason: 'completed',
    error: undefined,
    provider: 'offline',
    model: 'rules',
    totals: { turns: 0, toolCalls: 2, inputTokens: 3, outputTokens: 4, costUsd: 0.5 },
    createdAtMs: Date.parse('2026-01-01T00:00:00.000Z'),
    startedAtMs: Date.parse('2026-01-01T00:00:00.750Z'),
    updatedAtMs: Date.parse('2026-01-01T00:00:01.000Z'),
    endedAtMs: Date.parse('2026-01-01T00:00:01.000Z'),
  });
});

test('refusals come back as the errors they were', async () => {
  const runs = await openRuns((request, response) => {
    const [status, code] = request.url?.includes('absent')
      ? [404, 'run.not_found']
      : [429, 'queue.full'];
    response.writeHead(status).end(JSON.stringify({ error: { code, message: 'no' } }));
  });

  await expect(runs.get('run_absent' as RunId)).rejects.toMatchObject({
    code: 'not_found',
    message: 'no',
    details: { thing: 'run' },
  });
  await expect(runs.list({ limit: 1 })).rejects.toMatchObject({
    code: 'queue_full',
    retryable: true,
  });
});

test('an answer that is no run at all is refused, not half believed', async () => {
  const runs = await openRuns((_request, response) =>
    response.end('{"id":"run_1","status":"splendid"}'),
  );

  await expect(runs.get(RUN_ID)).rejects.toMatchObject({ code: 'internal' });
});

test('a submission whose answer is lost is sent again with the same key', async () => {
  const keys: unknown[] = [];
  const runs = await openRuns((request, response) => {
    if (request.method === 'GET') return response.end(JSON.stringify(WIRE_RUN));
    keys.push(request.headers['idempotency-key']);
    if (keys.length === 1) return request.socket.destroy();
    return response.writeHead(202).end(JSON.stringify({ id: RUN_ID, status: 'queued' }));
  });

  const { run } = await runs.submit({
    agentId: 'agent_default' as AgentId,
    message: 'hi',
    source: 'cli',
  });

  expect(run.id).toBe(RUN_ID);
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]]);
});

test('a broken stream is taken up after the last event seen, and no event comes twice', async () => {
  const cursors: unknown[] = [];
  const runs = await openRuns((request, response) => {
    cursors.push(request.headers['last-event-id']);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (cursors.length === 1) {
      response.write(
        `retry: 1\n\n${wireEvent(1, 'run.created')}${wireEvent(2, 'run.started')}id: 3\ndata: {"ha`,
      );
      return void setImmediate(() => response.destroy());
    }
    // A repeated event, as an impatient proxy might send it.
    return void response.end(
      `${wireEvent(2, 'run.started')}${wireEvent(3, 'run.completed')}event: done\ndata: [DONE]\n\n`,
    );
  });

  expect((await tail(runs)).map(({ seq, type }) => [seq, type])).toEqual([
    [1, 'run.created'],
    [2, 'run.started'],
    [3, 'run.completed'],
  ]);
  expect(cursors).toEqual(['0', '2']);
});

test('a stream that was quiet for as long as asked ends without a second connection', async () => {
  let connections = 0;
  const runs = await openRuns((request: IncomingMessage, response) => {
    connections += 1;
    const tailMs = Number(new URL(request.url ?? '', 'http://x').searchParams.get('tail_ms'));
    response.writeHead(200).write(wireEvent(1, 'run.created'));
    setTimeout(() => response.end(), tailMs);
  });

  expect(await tail(runs, 400)).toHaveLength(1);
  expect(connections).toBe(1);
});

test('a reader that leaves ends the tail at once', async () => {
  const runs = await openRuns((_request, response) => {
    response.writeHead(200).write(wireEvent(1, 'run.created'));
  });
  const leaving = new AbortController();
  const seen: Event[] = [];

  for await (const page of runs.tail({
    runId: RUN_ID,
    after: 0,
    idleMs: 60_000,
    signal: leaving.signal,
  })) {
    seen.push(...page);
    leaving.abort();
  }

  expect(seen).toHaveLength(1);
});

async function tail(runs: Awaited<ReturnType<typeof openRuns>>, idleMs = 60_000): Promise<Event[]> {
  const events: Event[] = [];
  const { signal } = new AbortController();
  for await (const page of runs.tail({ runId: RUN_ID, after: 0, idleMs, signal }))
    events.push(...page);
  return events;
}
