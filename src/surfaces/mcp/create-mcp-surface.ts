import { Readable } from 'node:stream';
import { type ReadableStream, TransformStream } from 'node:stream/web';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate, Surface } from '../http/surface.ts';
import type { McpServer } from './create-mcp-server.ts';
import { encodeMcpError } from './errors.ts';
import { isStream } from './http-exchange.ts';

export interface McpSurfaceDeps {
  readonly server: Pick<McpServer, 'handle' | 'close'>;
  readonly authenticate: Authenticate;
}

/** Streamable HTTP at `/mcp`. Who may ask, from where and how often is settled before the protocol is reached. */
export function createMcpSurface({ server, authenticate }: McpSurfaceDeps): Surface {
  return {
    name: 'mcp',
    prefix: '/mcp',
    encodeError: encodeMcpError,
    authenticate,
    routes(app) {
      // Streams end only when they are told to, and a server that closes would wait for them.
      app.addHook('preClose', () => server.close());
      app.route({
        method: ['GET', 'POST', 'DELETE'],
        url: '/',
        schema: { hide: true },
        handler: (request, reply) => exchange(server, request, reply),
      });
    },
  };
}

/** A comment, which readers of event streams pass over. */
const OPENING = Buffer.from(': open\n\n');

/** A request that nobody holds is collected, and then its signal never aborts. As many as there are connections. */
const held = new Set<Request>();

async function exchange(
  server: McpSurfaceDeps['server'],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const left = new AbortController();
  const asked = toWebRequest(request, left.signal);
  held.add(asked);
  reply.raw.once('close', () => {
    left.abort();
    held.delete(asked);
  });
  const response = await server.handle(asked, request.body);
  reply.code(response.status);
  for (const [name, value] of response.headers) reply.header(name, value);
  if (!response.body) return reply.send();
  const body = response.body as ReadableStream<Uint8Array>;
  return reply.send(Readable.fromWeb(isStream(response) ? openAtOnce(body) : body));
}

/**
 * Headers leave with the first byte, and the first event of a stream may be long in coming. A pipe and no generator:
 * that would end only with the next event, and hold the stream of a reader that left against the one it opens next.
 */
function openAtOnce(events: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  return events.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      start: (opened) => opened.enqueue(OPENING),
    }),
  );
}

/** Without its body, which has been read and parsed already. */
function toWebRequest(request: FastifyRequest, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string') headers.set(name, value);
    else for (const one of value ?? []) headers.append(name, one);
  }
  // The token has done its work; nothing behind this line needs it.
  headers.delete('authorization');
  headers.delete('content-length');
  return new Request(`http://localhost${request.url}`, { method: request.method, headers, signal });
}
