import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { openBridgedRuntime } from './open-bridged-runtime.ts';

/** What a library for gateways would never do. */
async function openRawGateway(
  onUpgrade: (socket: Duplex, key: string) => void,
): Promise<{ readonly url: string }> {
  const server: Server = createServer();
  const sockets = new Set<Duplex>();
  server.on('upgrade', (request, socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onUpgrade(socket, request.headers['sec-websocket-key'] ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('a frame that comes together with the upgrade is taken like any other', async () => {
  const frame = Buffer.from('{"type":"res","id":"p1"}');
  const gateway = await openRawGateway((socket, key) => {
    const accept = createHash('sha1')
      .update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    const head = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;
    socket.write(Buffer.concat([Buffer.from(head), Buffer.from([0x81, frame.length]), frame]));
  });

  const runtime = await openBridgedRuntime(gateway.url, { connect_timeout_ms: 200 });

  await expect.poll(() => runtime.openclaw.status().lastError?.code).toBe('no_challenge');
});

test('a proxy that refuses the upgrade refuses us, and is not tried again', async () => {
  let attempts = 0;
  const gateway = await openRawGateway((socket) => {
    attempts += 1;
    socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n');
  });

  const runtime = await openBridgedRuntime(gateway.url);
  await runtime.untilState('refused');

  expect(runtime.openclaw.status().lastError).toMatchObject({
    code: 'http_401',
    action: expect.stringContaining('OPENCLAW_GATEWAY_TOKEN'),
  });
  expect(attempts).toBe(1);
});
