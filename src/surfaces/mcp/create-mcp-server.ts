import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/log.ts';
import { buildServer, type Sdk, type ServedClient, type ServerParts } from './build-server.ts';
import { type DirectToolsDeps, listDirectTools } from './direct-tools.ts';
import { createHttpExchange, type HttpExchange } from './http-exchange.ts';
import { createListenStreams, MAX_STREAMS } from './listen-streams.ts';
import { createListeningTransport } from './listening-transport.ts';
import { createPrompts, type PromptsDeps } from './prompts.ts';
import { createRunTools } from './run-tools.ts';
import type { ServedTool } from './served-tool.ts';

export interface McpServerDeps extends DirectToolsDeps, PromptsDeps {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly logger: Logger;
  readonly version: string;
}

/** The runtime as an MCP server: runs, the tools that were granted, agents and skills. */
export interface McpServer {
  /**
   * One request of streamable HTTP, authenticated before. `body` is parsed JSON, undefined when there was none. The
   * request's signal aborts when its exchange is over.
   */
  handle(request: Request, body: unknown): Promise<Response>;
  /** Serves one client until its input ends. */
  serveStdio(streams: {
    readonly input: Readable;
    readonly output: Writable;
  }): Promise<StdioSession>;
  /** Ends all streams and sessions over HTTP. */
  close(): Promise<void>;
}

interface StdioSession {
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

export function createMcpServer(deps: McpServerDeps): McpServer {
  const { logger } = deps;
  const runTools = createRunTools(deps.runs);
  const parts: ServerParts = {
    ...deps,
    prompts: createPrompts(deps),
    calls: { logger, count: { active: 0 } },
    listTools: () => withoutTaken(runTools, listDirectTools(deps)),
  };
  const onerror = (error: Error) => logger.debug({ err: error }, 'mcp request failed');
  let exchange: Promise<HttpExchange> | undefined;

  /** The SDK is loaded with the first client: most processes never have one. */
  function getExchange(): Promise<HttpExchange> {
    exchange ??= import('@modelcontextprotocol/server').then((sdk) =>
      createHttpExchange({
        ...{ ...deps, sdk, onerror },
        build: (kind) => buildServer(sdk, parts, kind),
      }),
    );
    return exchange;
  }

  return {
    handle: async (request, body) => (await getExchange()).handle({ request, body }),

    serveStdio: (streams) => serveStdio(streams, { parts, onerror }),

    async close() {
      await (await exchange)?.close();
    },
  };
}

async function serveStdio(
  { input, output }: Parameters<McpServer['serveStdio']>[0],
  { parts, onerror }: { readonly parts: ServerParts; readonly onerror: (error: Error) => void },
): Promise<StdioSession> {
  const [sdk, stdio] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
  ]);
  const ended = new Promise<void>((resolve) => {
    input.once('end', resolve);
    input.once('close', resolve);
  });
  const client = createStdioClient(sdk, parts);
  const wire = new stdio.StdioServerTransport(input, output);
  const streams = createListenStreams({ ...parts, notify: client.notify });
  const handle = stdio.serveStdio(client.build, {
    transport: createListeningTransport(wire, { ...parts, streams }),
    maxSubscriptions: MAX_STREAMS,
    onerror,
  });
  return { ended, close: () => handle.close() };
}

/** The SDK builds a server to find out which protocol is spoken, and perhaps another to speak it: the last one counts. */
function createStdioClient(sdk: Sdk, parts: ServerParts) {
  let current: ServedClient | undefined;
  return {
    build() {
      current = buildServer(sdk, parts, 'connection');
      return current.server;
    },
    notify: (uri: string) => current?.notify(uri),
  };
}

/** Tools for runs come first; a tool of the runtime that would have one of their names is left out. */
function withoutTaken(
  first: readonly ServedTool[],
  rest: readonly ServedTool[],
): Map<string, ServedTool> {
  const tools = new Map<string, ServedTool>();
  for (const tool of [...first, ...rest]) if (!tools.has(tool.name)) tools.set(tool.name, tool);
  return tools;
}
