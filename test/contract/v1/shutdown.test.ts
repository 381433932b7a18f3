import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { TOKEN } from './http-client.ts';
import { openTestServer, submit, type TestServer } from './test-server.ts';

interface Gate {
  readonly passed: Promise<void>;
  open(): void;
}

function createGate(): Gate {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

/** A server whose `get` says when it was asked and answers when the test lets it. */
async function openSlowServer(): Promise<{ server: TestServer; asked: Gate; release: Gate }> {
  const asked = createGate();
  const release = createGate();
  const server = await openTestServer({
    alter: (runs) => ({
      ...runs,
      // A run that is known to be open is not asked for.
      isOpen: () => false,
      get: async (id) => {
        asked.open();
        await release.passed;
        return runs.get(id);
      },
    }),
  });
  onTestFinished(release.open);
  return { server, asked, release };
}

test('lets a request under way finish before it closes', async () => {
  const { server, asked, release } = await openSlowServer();
  const answer = server.call('/v1/runs/run_1');
  await asked.passed;

  const closed = server.http.close(10_000);
  release.open();

  expect((await answer).status).toBe(404);
  await closed;
  await expect(server.call('/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('cuts what is still under way when the grace is over', async () => {
  const { server, asked } = await openSlowServer();
  const answer = server.call('/v1/runs/run_1');
  const cut = expect(answer).rejects.toMatchObject({ code: 'ECONNRESET' });
  await asked.passed;

  await server.http.close(20);

  await cut;
});

test('answers 503 in the envelope on a connection that is still open', async () => {
  const { server, asked, release } = await openSlowServer();
  const received: string[] = [];
  const socket = connect(server.port, '127.0.0.1');
  socket.on('data', (chunk) => received.push(chunk.toString('latin1')));
  const left = once(socket, 'close');
  const head = `host: localhost\r\nauthorization: Bearer ${TOKEN}\r\n\r\n`;
  socket.write(`GET /v1/runs/run_1 HTTP/1.1\r\n${head}`);
  await asked.passed;

  const closed = server.http.close(10_000);
  socket.write(`GET /v1/runs HTTP/1.1\r\n${head}`);
  await expect
    .poll(() => server.logs.some((line) => line.message === 'request failed'), { timeout: 5000 })
    .toBe(true);
  release.open();
  await Promise.all([closed, left]);

  const [, first, second] = received.join('').split('HTTP/1.1 ');
  expect(first).toMatch(/^404 Not Found\r\n/);
  expect(second).toMatch(/^503 Service Unavailable\r\n/);
  expect(second).toMatch(
    /\r\n\r\n\{"error":\{"code":"service.unavailable","message":"server is shutting down"\}\}$/,
  );
});

test('opens no stream for a request that was under way when the server closed', async () => {
  const { server, asked, release } = await openSlowServer();
  await submit(server, 'run_1');
  const answer = server.call('/v1/runs/run_1/events');
  await asked.passed;

  const closed = server.http.close(10_000);
  release.open();

  expect((await answer).body).toEqual({
    error: { code: 'service.unavailable', message: 'server is shutting down' },
  });
  await closed;
});
