import type { Readable, Writable } from 'node:stream';
import type { CallToolResult, McpHttpHandler, Server } from '@modelcontextprotocol/server';
import { defined } from '../../core/defined.ts';
import { RuntimeError, toRuntimeError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Logger } from '../../core/log.ts';
import { type DirectToolsDeps, listDirectTools, ToolCallError } from './direct-tools.ts';
import { encodeFault } from './errors.ts';
import { listRunResources, RUN_TEMPLATE, readRunResource } from './run-resources.ts';
import { createRunTools } from './run-tools.ts';
import type { ServedTool } from './served-tool.ts';

export interface McpServerDeps extends DirectToolsDeps {
  readonly logger: Logger;
  readonly version: string;
}

/** The runtime as an MCP server: runs, and the tools that were granted. */
export interface McpServer {
  /** One request of streamable HTTP, authenticated before. `body` is parsed JSON, undefined when there was none. */
  handle(request: Request, body: unknown): Promise<Response>;
  /** Serves one client until its input ends. */
  serveStdio(streams: {
    readonly input: Readable;
    readonly output: Writable;
  }): Promise<StdioSession>;
  close(): Promise<void>;
}

interface StdioSession {
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

type Sdk = typeof import('@modelcontextprotocol/server');

/** Calls under way at once, over all clients; each may wait for minutes. */
const MAX_CALLS = 64;
const MAX_SUBSCRIPTIONS = 64;
const INSTRUCTIONS =
  'Pincer runs agents durably. run_submit starts work and run_wait follows it; the other tools act at once, ' +
  'each as a recorded run of its own.';

export function createMcpServer(deps: McpServerDeps): McpServer {
  const runTools = createRunTools(deps.runs);
  const calls = { active: 0 };
  const listTools = () => withoutTaken(runTools, listDirectTools(deps));
  const build = (sdk: Sdk) => buildServer(sdk, { deps, calls, listTools });
  const onerror = (error: Error) => deps.logger.debug({ err: error }, 'mcp request failed');
  let handler: Promise<McpHttpHandler> | undefined;

  /** The SDK is loaded with the first client: most processes never have one. */
  function getHandler(): Promise<McpHttpHandler> {
    handler ??= import('@modelcontextprotocol/server').then((sdk) =>
      sdk.createMcpHandler(() => build(sdk), { maxSubscriptions: MAX_SUBSCRIPTIONS, onerror }),
    );
    return handler;
  }

  return {
    async handle(request, body) {
      const { fetch } = await getHandler();
      return fetch(request, defined({ parsedBody: body }));
    },

    async serveStdio({ input, output }) {
      const [sdk, { serveStdio, StdioServerTransport }] = await Promise.all([
        import('@modelcontextprotocol/server'),
        import('@modelcontextprotocol/server/stdio'),
      ]);
      const ended = new Promise<void>((resolve) => {
        input.once('end', resolve);
        input.once('close', resolve);
      });
      const transport = new StdioServerTransport(input, output);
      const handle = serveStdio(() => build(sdk), { transport, onerror });
      return { ended, close: () => handle.close() };
    },

    async close() {
      await (await handler)?.close();
    },
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

interface ServerParts {
  readonly deps: McpServerDeps;
  readonly calls: { active: number };
  readonly listTools: () => Map<string, ServedTool>;
}

function buildServer(sdk: Sdk, { deps, calls, listTools }: ServerParts): Server {
  const server = new sdk.Server(
    { name: 'pincer', version: deps.version },
    {
      capabilities: { tools: {}, resources: {} },
      instructions: INSTRUCTIONS,
    },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: [...listTools().values()].map(encodeTool),
  }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = listTools().get(params.name);
    if (!tool) {
      const message = `there is no tool named ${params.name.slice(0, 100)}`;
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, message);
    }
    const input = (params.arguments ?? {}) as JsonObject;
    return callServed(deps.logger, calls, { tool, input, signal: mcpReq.signal });
  });
  server.setRequestHandler('resources/list', async () => ({
    resources: await listRunResources(deps.runs),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [RUN_TEMPLATE],
  }));
  server.setRequestHandler('resources/read', async ({ params }) => {
    try {
      return { contents: [await readRunResource(deps.runs, params.uri)] };
    } catch (thrown) {
      const { message } = encodeFault(report(deps.logger, thrown));
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, message);
    }
  });
  return server;
}

async function callServed(
  logger: Logger,
  calls: { active: number },
  call: { readonly tool: ServedTool; readonly input: JsonObject; readonly signal: AbortSignal },
): Promise<CallToolResult> {
  calls.active += 1;
  try {
    if (calls.active > MAX_CALLS) {
      throw new RuntimeError('rate_limited', `more than ${MAX_CALLS} calls are under way`);
    }
    const { output, runId } = await call.tool.run(call.input, call.signal);
    return {
      content: [{ type: 'text', text: JSON.stringify(output) }],
      structuredContent: { ...output },
      ...(runId === undefined ? {} : { _meta: { 'pincer/run_id': runId } }),
    };
  } catch (thrown) {
    if (thrown instanceof ToolCallError)
      return failed(thrown.message, { 'pincer/run_id': thrown.runId });
    const { code, message } = encodeFault(report(logger, thrown));
    return failed(`${code}: ${message}`, {});
  } finally {
    calls.active -= 1;
  }
}

function failed(text: string, meta: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true, _meta: meta };
}

function report(logger: Logger, thrown: unknown): RuntimeError {
  const error = toRuntimeError(thrown);
  if (error.code === 'internal') logger.error({ err: error }, 'mcp call failed');
  return error;
}

function encodeTool(tool: ServedTool) {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: { ...tool.inputSchema, type: 'object' as const },
    annotations: { readOnlyHint: tool.readOnly, idempotentHint: tool.idempotent },
  };
}
