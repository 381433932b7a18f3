import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../../core/clock.ts';
import { streamEvents } from '../../../operations/runs/run-events.ts';
import type { RunEvent } from '../../../operations/runs/run-shapes.ts';
import { createRun, getRun, listRuns } from '../../../operations/runs/runs.ts';
import { openClient, type ServerClient } from './open-client.ts';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

/** A loopback server that plays `/v1`, and the client of it. */
async function open(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const address = { url: `http://127.0.0.1:${port}`, token: 'secret', isSameBuild: false };
  return openClient({ server: address, locate: async () => address, clock: systemClock });
}

const RUN_ID = 'run_1';
const PARAMS = { run_id: RUN_ID };

const WIRE_RUN = {
  id: RUN_ID,
  agent_id: 'agent_default',
  source: 'http',
  status: 'completed',
  output: 'done',
  artifact_path: '.openclawssy/agents/agent_default/runs/run_1',
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

test('a run is read as the server shows it, with the token, and what is newer is left out', async () => {
  const seen: (string | undefined)[] = [];
  const client = await open((request, response) => {
    seen.push(request.headers.authorization, request.url);
    response.end(JSON.stringify({ ...WIRE_RUN, later: 'a field of a newer server' }));
  });

  const run = await client.call(getRun, { params: PARAMS });

  expect(seen).toEqual(['Bearer secret', '/v1/runs/run_1']);
  expect(run).toEqual(WIRE_RUN);
});

test('refusals come back as the errors they were', async () => {
  const client = await open((request, response) => {
    const [status, code] = request.url?.includes('absent')
      ? [404, 'run.not_found']
      : [429, 'queue.full'];
    response.writeHead(status).end(JSON.stringify({ error: { code, message: 'no' } }));
  });

  await expect(client.call(getRun, { params: { run_id: 'run_absent' } })).rejects.toMatchObject({
    code: 'not_found',
    message: 'no',
    details: { thing: 'run' },
  });
  await expect(client.call(listRuns, { query: { limit: 1 } })).rejects.toMatchObject({
    code: 'queue_full',
    retryable: true,
  });
});

test('an answer that is no run at all is refused, not half believed', async () => {
  const client = await open((_request, response) =>
    response.end('{"id":"run_1","status":"splendid"}'),
  );

  await expect(client.call(getRun, { params: PARAMS })).rejects.toMatchObject({ code: 'internal' });
});

test('a submission whose answer is lost is sent again with the same key', async () => {
  const keys: unknown[] = [];
  const client = await open((request, response) => {
    keys.push(request.headers['idempotency-key']);
    if (keys.length === 1) return request.socket.destroy();
    return response.writeHead(202).end(JSON.stringify({ id: RUN_ID, status: 'queued' }));
  });

  const body = { agent_id: 'agent_default', message: 'hi' };
  const { id } = await client.call(createRun, { headers: {}, body });

  expect(id).toBe(RUN_ID);
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]]);
});

test('a broken stream is taken up after the last event seen, and no event comes twice', async () => {
  const cursors: unknown[] = [];
  const client = await open((request, response) => {
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

  expect((await tail(client)).map(({ seq, event_type: type }) => [seq, type])).toEqual([
    [1, 'run.created'],
    [2, 'run.started'],
    [3, 'run.completed'],
  ]);
  expect(cursors).toEqual(['0', '2']);
});

test('a stream that was quiet for as long as asked ends without a second connection', async () => {
  let connections = 0;
  const client = await open((request: IncomingMessage, response) => {
    connections += 1;
    const tailMs = Number(new URL(request.url ?? '', 'http://x').searchParams.get('tail_ms'));
    response.writeHead(200).write(wireEvent(1, 'run.created'));
    setTimeout(() => response.end(), tailMs);
  });

  expect(await tail(client, 400)).toHaveLength(1);
  expect(connections).toBe(1);
});

test('a reader that leaves ends the tail at once', async () => {
  const client = await open((_request, response) => {
    response.writeHead(200).write(wireEvent(1, 'run.created'));
  });
  const leaving = new AbortController();
  const seen: RunEvent[] = [];

  for await (const page of events(client, 60_000, leaving.signal)) {
    seen.push(...page);
    leaving.abort();
  }

  expect(seen).toHaveLength(1);
});

function events(client: ServerClient, idleMs: number, signal: AbortSignal) {
  const input = { params: PARAMS, query: { tail_ms: idleMs }, headers: { 'last-event-id': 0 } };
  return client.stream({ operation: streamEvents, input, signal });
}

async function tail(client: ServerClient, idleMs = 60_000): Promise<RunEvent[]> {
  const seen: RunEvent[] = [];
  const { signal } = new AbortController();
  for await (const page of events(client, idleMs, signal)) seen.push(...page);
  return seen;
}
