import { expect, test } from 'vitest';
import { withCallTrace } from './call-trace.ts';
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
    for (const { traceparent } of server.seen) {
      expect(traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    }
  },
);

test('a call is in the trace of its run; the handshake is not', async () => {
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const server = await openTestHttpServer();
  const ground = await createTestGround();
  const { clients, call } = ground.open({ remote: { url: server.url } });
  await clients.tried();
  const before = server.seen.length;

  await withCallTrace({ traceparent }, () => call('mcp__remote__echo', { text: 'x' }));

  expect(server.seen.slice(0, before).map((headers) => headers['traceparent'])).not.toContain(
    traceparent,
  );
  expect(server.seen.at(-1)?.['traceparent']).toBe(traceparent);
});

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
