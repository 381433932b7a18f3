import { expect, test } from 'vitest';
import { createTestGround, until } from './test-clients.ts';
import { openTestHttpServer } from './test-http-server.ts';

test.each(['legacy', 'auto'])(
  'uses a streamable HTTP server with its headers (%s)',
  async (protocol) => {
    const server = await openTestHttpServer({ token: 'let-me-in' });
    const ground = await createTestGround();
    const headers = { authorization: 'Bearer {{secret:REMOTE}}' };
    const { clients, call } = ground.open(
      { remote: { type: 'http', url: server.url, headers, protocol } },
      { resolveValue: async (value) => value.replace('{{secret:REMOTE}}', 'let-me-in') },
    );
    await clients.tried();

    expect(clients.status()).toMatchObject([{ state: 'ready', serverInfo: { name: 'remote' } }]);
    expect(await call('mcp__remote__echo', { text: 'x' })).toEqual({ content: 'http x' });
  },
);

test('reports a server that refuses us', async () => {
  const server = await openTestHttpServer({ token: 'let-me-in' });
  const ground = await createTestGround();
  const { clients } = ground.open({ remote: { url: server.url } });

  await clients.tried();

  expect(clients.status()).toMatchObject([
    { state: 'waiting', lastError: { phase: 'initialize_handshake' } },
  ]);
});

test.each([
  ['breaks off', 'mcp__remote__cut'],
  ['is too large', 'mcp__remote__huge'],
])('calls the outcome unknown when an answer %s', async (_name, tool) => {
  const server = await openTestHttpServer();
  const ground = await createTestGround();
  const { clients, call } = ground.open({ remote: { url: server.url } });
  await clients.tried();

  await expect(call(tool)).rejects.toMatchObject({ code: 'outcome_unknown' });

  await until(() => clients.status()[0]?.state === 'ready');
});

test('finds a server again that went away, and holds back what changed meanwhile', async () => {
  const first = await openTestHttpServer();
  const ground = await createTestGround();
  const { clients, names, call } = ground.open({ remote: { url: first.url } });
  await clients.tried();
  await first.stop();
  // It may have left on a connection that was still open: what became of it nobody knows.
  await expect(call('mcp__remote__echo', { text: 'x' })).rejects.toMatchObject({
    details: { effect: expect.stringMatching(/none|unknown/) },
  });

  await expect(call('mcp__remote__echo', { text: 'x' })).rejects.toMatchObject({
    code: 'tool_failed',
    retryable: true,
    details: { effect: 'none' },
  });

  await openTestHttpServer({ port: first.port, description: 'Now with your files' });
  await until(() => clients.status()[0]?.state === 'ready');
  expect(names()).toEqual(['mcp__remote__cut', 'mcp__remote__huge']);
});
