import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { openBridgedRuntime, tell, until } from './open-bridged-runtime.ts';

interface Request {
  readonly request_id: string;
  readonly message: string;
}

/** Something that speaks the dialect of ClawOS. */
async function startClawos(onRequest: (request: Request, socket: WebSocket) => void) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const requests: Request[] = [];
  const authorizations: (string | undefined)[] = [];
  server.on('connection', (socket, { headers }) => {
    authorizations.push(headers.authorization);
    socket.on('message', (data) => {
      const request = JSON.parse(String(data)) as Request;
      requests.push(request);
      onRequest(request, socket);
    });
  });
  onTestFinished(async () => {
    for (const socket of server.clients) socket.terminate();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, requests, authorizations };
}

const CLAWOS = { dialect: 'clawos' };

test('a request, thoughts, actions, usage and a reply under whichever names', async () => {
  const clawos = await startClawos(({ request_id }, socket) => {
    const send = (frame: unknown) => socket.send(JSON.stringify(frame));
    send('hello?');
    send({ event_type: 'agent_thought', content: 'hm', request_id });
    // Whose it is follows from its project and its agent.
    send({ type: 'action', text: 'opens the browser', project_id: 'apollo', agent_id: 'lince' });
    send({
      type: 'usage',
      correlation_id: request_id,
      data: { tokensIn: 7, tokens_out: 3, costUsd: 0.5 },
    });
    send({ type: 'thought', content: 'of somebody else', project_id: 'zeus', agent_id: 'lince' });
    send({ type: 'agent_response', response_to: request_id, response: 'done' });
  });
  const runtime = await openBridgedRuntime(clawos.url, CLAWOS);

  const run = await runtime.askRemote('go');

  const events = await runtime.events(run.id);
  expect(run).toMatchObject({
    status: 'completed',
    output: 'done',
    totals: { inputTokens: 7, outputTokens: 3, costUsd: 0.5 },
  });
  expect(clawos.requests).toEqual([
    {
      type: 'agent_request',
      request_id: `pincer-${run.id}-1`,
      project_id: 'apollo',
      agent_id: 'main',
      agent_name: 'Lince',
      message: 'go',
      system_prompt: expect.stringContaining('You are Lince (scout).'),
      allowed_tools: [],
      memory_scope: 'global',
    },
  ]);
  expect(clawos.authorizations).toEqual(['Bearer gateway-token']);
  expect(events.map(tell).filter((said) => said.startsWith('agent.noted'))).toEqual([
    'agent.noted thought',
    'agent.noted action',
  ]);
  expect(runtime.openclaw.status().unclaimedEvents).toBe(1);
});

test('usage that belongs to no run counts for its project, once for each id', async () => {
  const usage = { type: 'cost_usage', id: 'u1', project_id: 'zeus', agent_id: 'lince' };
  const clawos = await startClawos(({ request_id }, socket) => {
    const report = { ...usage, tokens_in: 10, tokens_out: 5, cost_usd: 0.25 };
    for (let count = 0; count < 2; count += 1) socket.send(JSON.stringify(report));
    socket.send(JSON.stringify({ ...report, id: 'u2', tokens_in: -4 }));
    socket.send(JSON.stringify({ request_id, message: 'ok' }));
  });
  const runtime = await openBridgedRuntime(clawos.url, CLAWOS);

  await runtime.askRemote('go');
  let spent = await runtime.costs.summarize('zeus');
  while (spent.agents.length === 0) spent = await runtime.costs.summarize('zeus');

  expect(spent.agents).toMatchObject([{ agentId: 'lince', tokensIn: 10, tokensOut: 5 }]);
});

test('a message whose answer was lost is not sent again', async () => {
  const clawos = await startClawos((_request, socket) => socket.terminate());
  const runtime = await openBridgedRuntime(clawos.url, CLAWOS);

  const run = await runtime.askRemote('go');

  expect(run).toMatchObject({ status: 'failed', error: { code: 'outcome_unknown' } });
  expect(clawos.requests.length).toBe(1);
});

test('a run that waits for an answer for ever can be cancelled', async () => {
  const clawos = await startClawos(() => {});
  const runtime = await openBridgedRuntime(clawos.url, CLAWOS);
  const id = await runtime.submitRemote('go');
  await until(() => clawos.requests.length === 1);

  await runtime.runs.cancel({ runId: id, reason: 'enough', actor: 'operator' });

  expect((await runtime.awaitEnd(id)).status).toBe('cancelled');
});
