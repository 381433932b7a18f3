import { expect, test } from 'vitest';
import { createScriptedModel } from '../../providers/scripted/scripted-model.ts';
import { listen, openTestMcp, TOKEN, until } from './test-mcp-server.ts';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  },
};
const PING = { jsonrpc: '2.0', id: 2, method: 'ping' };

async function openUrl(): Promise<string> {
  const { server } = await openTestMcp(createScriptedModel({ steps: [{ text: 'Hello' }] }));
  return listen(server);
}

interface Asked {
  readonly method?: string;
  readonly body?: object;
  readonly session?: string;
  readonly token?: string;
}

async function ask(url: string, { method = 'POST', body, session, token = TOKEN }: Asked) {
  const response = await fetch(url, {
    method,
    headers: {
      accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(session === undefined ? {} : { 'mcp-session-id': session }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = method === 'GET' && response.ok ? '' : await response.text();
  if (method === 'GET' && response.ok) await response.body?.cancel();
  return { status: response.status, session: response.headers.get('mcp-session-id') ?? '', text };
}

test('a stream is open at once, long before there is something to tell', {
  timeout: 10_000,
}, async () => {
  const url = await openUrl();
  const { session } = await ask(url, { body: INITIALIZE });

  const { status } = await ask(url, { method: 'GET', session });

  expect(status).toBe(200);
});

// Streams are written to every 15 s, and would be found to be left by then in any case.
test('a reader that left can open its stream again at once', { timeout: 10_000 }, async () => {
  const url = await openUrl();
  const { session } = await ask(url, { body: INITIALIZE });

  const first = await ask(url, { method: 'GET', session });
  const again = async () => (await ask(url, { method: 'GET', session })).status === 200;

  expect(first.status).toBe(200);
  await until(again);
  await until(again);
});

test('a session lasts from initialize to DELETE', async () => {
  const url = await openUrl();
  const { session } = await ask(url, { body: INITIALIZE });

  const pinged = await ask(url, { body: PING, session });
  const streamed = await ask(url, { method: 'GET', session });
  const ended = await ask(url, { method: 'DELETE', session });
  const late = await ask(url, { body: PING, session });

  expect(session).toMatch(/^[0-9a-f-]{36}$/);
  expect([pinged.status, streamed.status, ended.status]).toEqual([200, 200, 200]);
  expect(late.status).toBe(404);
  expect(JSON.parse(late.text)).toEqual({
    jsonrpc: '2.0',
    error: { code: -32001, message: 'the session is over; send initialize again' },
    id: null,
  });
});

test('the id of a session opens nothing without the token', async () => {
  const url = await openUrl();
  const { session } = await ask(url, { body: INITIALIZE });

  const answers = await Promise.all([
    ask(url, { body: PING, session, token: 'other' }),
    ask(url, { method: 'GET', session, token: 'other' }),
    ask(url, { method: 'DELETE', session, token: 'other' }),
    ask(url, { body: { ...PING, method: 'prompts/list' }, session, token: 'other' }),
  ]);

  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  expect((await ask(url, { body: PING, session })).status).toBe(200);
});

test('a request without a session is answered alone; to subscribe takes one', async () => {
  const url = await openUrl();
  const subscribe = { ...PING, method: 'resources/subscribe', params: { uri: 'run://run_x' } };

  const pinged = await ask(url, { body: PING });
  const refused = await ask(url, { body: subscribe });

  expect([pinged.status, pinged.session]).toEqual([200, '']);
  expect(refused.text).toContain('subscriptions need a session: send initialize');
});

test('the session that was idle for longest makes room for a new one', async () => {
  const url = await openUrl();
  const sessions: string[] = [];
  for (let count = 0; count < 128; count += 1) {
    sessions.push((await ask(url, { body: INITIALIZE })).session);
  }
  const [first = '', second = '', third = ''] = sessions;
  await ask(url, { body: PING, session: first });

  const { session } = await ask(url, { body: INITIALIZE });

  const used = [first, second, third, session];
  const answers = await Promise.all(used.map((each) => ask(url, { body: PING, session: each })));
  expect(new Set([...sessions, session]).size).toBe(129);
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 200]);
});
