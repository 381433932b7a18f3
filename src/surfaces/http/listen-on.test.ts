import { connect } from 'node:net';
import { fastify } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { listenOn } from './listen-on.ts';

async function listen(host: string) {
  const app = fastify();
  onTestFinished(() => app.close());
  const address = await listenOn(app, { host, port: 0 });
  return { app, ...address };
}

test('listens on one address for localhost, so that limits and the shutdown reach every connection', async () => {
  const { app, url, port } = await listen('localhost');

  expect(url).toBe(`http://localhost:${port}`);
  expect(app.addresses()).toHaveLength(1);
});

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['0.0.0.0', '127.0.0.1'],
])('names an address that can be opened when it listens on %s', async (host, shown) => {
  const { url, port } = await listen(host);

  expect(url).toBe(`http://${shown}:${port}`);
  const socket = connect(port, shown);
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.destroy();
});
