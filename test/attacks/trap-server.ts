import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What an attacker wants to be reached: a loopback server that counts who comes. */
export interface TrapServer {
  readonly port: number;
  /** Connections so far, whether or not a request came over them. */
  connections(): number;
  /** Requests so far, as `POST /path`. */
  requests(): readonly string[];
  close(): Promise<void>;
}

/** `/to/<status>/<location>` redirects, everything else answers. Listens on both loopback addresses where there are two. */
export async function openTrapServer(): Promise<TrapServer> {
  let connections = 0;
  const requests: string[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    requests.push(`${request.method} ${request.url}`);
    const [, status, location] = /^\/to\/(\d+)\/(.*)$/.exec(request.url ?? '') ?? [];
    if (status === undefined) return void response.end('reached');
    const headers = location === '' ? {} : { location: decodeURIComponent(location ?? '') };
    response.writeHead(Number(status), headers).end();
  };
  const server = createServer(answer).on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const second = createServer(answer).on('connection', () => {
    connections += 1;
  });
  // Machines without IPv6 have nothing to reach there either.
  await new Promise<void>((resolve) => {
    second.once('error', () => resolve()).listen(port, '::1', resolve);
  });
  return {
    port,
    connections: () => connections,
    requests: () => [...requests],
    async close() {
      for (const one of [server, second]) {
        one.closeAllConnections();
        await new Promise((resolve) => one.close(resolve));
      }
    },
  };
}
