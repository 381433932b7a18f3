import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface EchoServer {
  readonly url: string;
  /** The headers that were sent, newest last. */
  readonly headers: readonly IncomingMessage['headers'][];
  close(): Promise<void>;
}

/** A service that repeats what it was sent in every spelling, as debug pages do, and fails on demand. */
export async function openEchoServer(): Promise<EchoServer> {
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    headers.push(request.headers);
    request.resume();
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    headers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const told = spell(String(request.headers['x-api-key'] ?? request.headers.authorization ?? ''));
  switch (request.url) {
    case '/echo':
      response.writeHead(200, { 'x-echo': encodeURIComponent(told[0] ?? '') }).end(told.join('\n'));
      return;
    case '/large':
      // Above what an event may hold, so that it becomes an artifact.
      response.writeHead(200).end(`${told.join('\n')}\n`.repeat(800));
      return;
    case '/fail':
      response.writeHead(503, { 'content-type': 'text/plain' }).end(told.join('\n'));
      return;
    case '/v1/chat/completions':
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { message: `no model for ${told[0]}` } }));
      return;
    default:
      request.socket.destroy();
  }
}

/** A text as services repeat it: plain, in a URL, in JSON, in base64 alone and behind a user's name. */
export function spell(text: string): string[] {
  const bare = text.replace(/^(?:Bearer|Basic) /, '');
  return [
    text,
    bare,
    encodeURIComponent(bare),
    JSON.stringify({ note: bare }),
    Buffer.from(bare).toString('base64'),
    Buffer.from(`user:${bare}`).toString('base64'),
  ];
}
