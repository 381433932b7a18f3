import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { limitConnections } from './limit-connections.ts';

const MAX_CONNECTIONS = 20;

/** Answers `/` at once and anything else never. */
async function openServer() {
  const held: ServerResponse[] = [];
  const server = createServer((incoming, response) => {
    if (incoming.url === '/') response.end('ok');
    else {
      response.writeHead(200).write('…');
      held.push(response);
    }
  });
  limitConnections(server, MAX_CONNECTIONS);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, held };
}

async function open(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

async function get(port: number): Promise<number | undefined> {
  const outgoing = request({ port, host: '127.0.0.1', path: '/', agent: false }).end();
  const [response] = await once(outgoing, 'response');
  response.resume();
  return response.statusCode;
}

test.each([
  ['nothing', ''],
  ['half a head', 'GET / HTTP/1.1\r\nhost: local'],
  ['a head and half a body', 'POST /wait HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nhalf'],
])('callers that send %s shut nobody out', async (_what, text) => {
  const { port } = await openServer();
  for (let no = 0; no < 2 * MAX_CONNECTIONS; no += 1) await open(port, text);

  const statuses = [await get(port), await get(port), await get(port)];

  expect(statuses).toEqual([200, 200, 200]);
});

test('what is being answered keeps its connection, and then a newcomer has to go', async () => {
  const { port, held } = await openServer();
  const streams: Socket[] = [];
  for (let no = 0; no < MAX_CONNECTIONS; no += 1) {
    const stream = await open(port, 'GET /wait HTTP/1.1\r\nhost: x\r\n\r\n');
    streams.push(stream);
    await once(stream, 'data');
  }

  await expect(get(port)).rejects.toMatchObject({ code: 'ECONNRESET' });
  held[0]?.end();
  streams[0]?.end();
  if (streams[0]) await once(streams[0], 'close');

  expect(streams.slice(1).every((stream) => !stream.destroyed)).toBe(true);
  expect(await get(port)).toBe(200);
});
