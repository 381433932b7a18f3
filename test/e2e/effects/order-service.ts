import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from '../torture/random.ts';

/** Somebody else's service: every order that it takes costs money, so it counts what it has done. */
export interface OrderService {
  readonly url: string;
  /** How often each order was carried out. */
  readonly applied: ReadonlyMap<string, number>;
  /** Requests that arrived whole. */
  requests(): number;
  /** Requests with a key. */
  keyed(): number;
  close(): Promise<void>;
}

export interface OrderServiceOptions {
  /** Whether a second request with the same `Idempotency-Key` is answered without doing it again. */
  readonly honoursKeys: boolean;
  readonly random: Random;
}

/** Between order and answer: kills from outside fall into it often enough. */
const MAX_WORK_MS = 25;

export async function openOrderService(options: OrderServiceOptions): Promise<OrderService> {
  const { honoursKeys, random } = options;
  const applied = new Map<string, number>();
  const keys = new Map<string, string>();
  const counts = { requests: 0, keyed: 0 };

  function take(body: string, key: string | undefined): number {
    counts.requests += 1;
    const { order } = JSON.parse(body) as { readonly order: string };
    if (key !== undefined) {
      counts.keyed += 1;
      const known = keys.get(key);
      if (known !== undefined && known !== order) return 409;
      if (known !== undefined && honoursKeys) return 200;
      keys.set(key, order);
    }
    applied.set(order, (applied.get(order) ?? 0) + 1);
    return 201;
  }

  const server = createServer((request, response: ServerResponse) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    // A request that died with its sender never ends.
    request.on('error', () => {});
    request.on('end', () => {
      const key = request.headers['idempotency-key'];
      const status = take(body, typeof key === 'string' ? key : undefined);
      setTimeout(() => response.writeHead(status).end('{}'), random.between(0, MAX_WORK_MS));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/orders`,
    applied,
    requests: () => counts.requests,
    keyed: () => counts.keyed,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
