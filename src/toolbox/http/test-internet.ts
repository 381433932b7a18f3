import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { defined } from '../../core/defined.ts';
import { RuntimeError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { callTool } from '../test-workspace.ts';
import { createHttpRequest, type HttpToolConfig } from './http-request.ts';
import type { Endpoint } from './open-socket.ts';

/** An address that is public by every rule; the test's own server answers for it. */
export const PUBLIC = '93.184.216.34';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A small internet: names with the addresses they resolve to, and one server behind all of them. */
export interface TestInternet {
  readonly port: number;
  /** Requests that arrived. */
  readonly seen: readonly Seen[];
  /** Connections that were tried. */
  readonly connections: readonly Endpoint[];
  call(
    input: JsonObject,
    config?: Partial<HttpToolConfig>,
    options?: CallOptions,
  ): Promise<JsonObject>;
  close(): Promise<void>;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly resolveSecret?: (name: string) => Promise<string | undefined>;
}

type Answer = (request: Seen, response: ServerResponse) => void;

export async function openTestInternet(
  names: Readonly<Record<string, readonly (readonly string[])[]>>,
  answer: Answer = (_, response) => response.end('hello'),
): Promise<TestInternet> {
  const seen: Seen[] = [];
  const connections: Endpoint[] = [];
  const sockets = new Set<Socket>();
  const lookups = new Map<string, number>();
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      seen.push({ method, url, headers, body });
      answer({ method, url, headers, body }, response);
    });
  });
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  async function resolve(host: string): Promise<readonly string[]> {
    const answers = names[host];
    if (answers === undefined) throw new Error('ENOTFOUND');
    const count = lookups.get(host) ?? 0;
    lookups.set(host, count + 1);
    return answers[Math.min(count, answers.length - 1)] ?? [];
  }
  return {
    port,
    seen,
    connections,
    call(input, config = {}, { signal, resolveSecret } = {}) {
      const tool = createHttpRequest({
        config: {
          enabled: true,
          allowedDomains: ['*'],
          allowLocalhosts: false,
          keyDomains: [],
          ...config,
        },
        resolve,
        connect(endpoint) {
          connections.push(endpoint);
          return connect({ host: '127.0.0.1', port });
        },
        ...defined({ resolveSecret }),
      });
      return callTool(tool, input, signal);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

/** The reason with which a call was denied; the code comes first when it failed otherwise. */
export async function denialOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'not denied';
  } catch (thrown) {
    if (!(thrown instanceof RuntimeError)) throw thrown;
    const reason = String(thrown.details?.['reason']);
    return thrown.code === 'policy_denied' ? reason : `${thrown.code}: ${reason}`;
  }
}
