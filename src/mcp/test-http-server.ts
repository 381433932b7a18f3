import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';
import * as z from 'zod';

export interface TestHttpServer {
  readonly url: string;
  readonly port: number;
  /** Headers of every request. */
  readonly seen: readonly IncomingMessage['headers'][];
  stop(): Promise<void>;
}

export interface TestHttpOptions {
  readonly port?: number;
  readonly token?: string;
  readonly description?: string;
}

/** A streamable HTTP server made with the SDK, with tools that break connections. */
export async function openTestHttpServer(options: TestHttpOptions = {}): Promise<TestHttpServer> {
  const seen: IncomingMessage['headers'][] = [];
  const handler = createMcpHandler(() => createTools(options));
  const server = createServer((request, response) => {
    seen.push(request.headers);
    if (options.token && request.headers.authorization !== `Bearer ${options.token}`) {
      response.writeHead(401).end('no');
      return;
    }
    void answer(request, response, handler.fetch).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(stop);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, port, seen, stop };
}

function createTools(options: TestHttpOptions): McpServer {
  const server = new McpServer({ name: 'remote', version: '2.0.0' });
  const input = z.object({ text: z.string() });
  server.registerTool(
    'echo',
    { description: options.description ?? 'Says it again', inputSchema: input },
    async ({ text }) => ({ content: [{ type: 'text', text: `http ${text}` }] }),
  );
  server.registerTool('huge', { inputSchema: z.object({}) }, async () => ({
    content: [{ type: 'text', text: 'x'.repeat(11 * 1024 * 1024) }],
  }));
  server.registerTool('cut', { inputSchema: z.object({}) }, () => new Promise(() => {}));
  return server;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  serve: (request: Request) => Promise<Response>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
  const served = await serve(
    new Request(`http://127.0.0.1${request.url}`, {
      method: request.method ?? 'GET',
      headers,
      ...(body.length === 0 ? {} : { body }),
    }),
  );
  response.writeHead(served.status, Object.fromEntries(served.headers));
  response.flushHeaders();
  if (body.includes('"cut"')) {
    // Long enough for the headers to leave; then the connection breaks in the middle of the answer.
    response.write(': \n\n', () => response.destroy());
    return;
  }
  if (served.body) for await (const chunk of served.body) response.write(chunk);
  response.end();
}
