import type { CallToolResult, Client, Tool, Transport } from '@modelcontextprotocol/client';
import type { Clock } from '../core/clock.ts';
import type { JsonObject } from '../core/json.ts';
import { errnoOf } from '../platform/errno-of.ts';
import { createBoundedFetch } from './bounded-fetch.ts';
import type { HttpServerConfig, McpServerConfig, StdioServerConfig } from './server-config.ts';
import { serverEnvironment } from './server-environment.ts';
import { MAX_MESSAGE_BYTES, StdioTransport } from './stdio-transport.ts';

export interface ConnectionDeps {
  readonly clock: Clock;
  readonly version: string;
  /** Our own environment, of which servers get an allow-list. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Fills in references to secrets in values of `env` and `headers`. */
  readonly resolveValue?: (value: string) => Promise<string>;
}

export interface ConnectionControl {
  /** Gives up connecting. Once open, a connection is ended by `close`. */
  readonly signal: AbortSignal;
  /** When the connection ended by itself. */
  readonly onLost: (error: Error) => void;
  readonly onToolsChanged: () => void;
}

interface CallRequest {
  readonly tool: string;
  readonly inputSchema: JsonObject;
  readonly input: JsonObject;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** An initialized connection to one server. */
export interface Connection {
  readonly serverInfo: { readonly name: string; readonly version: string } | undefined;
  readonly protocolVersion: string | undefined;
  listTools(signal: AbortSignal): Promise<readonly Tool[]>;
  call(request: CallRequest): Promise<CallToolResult>;
  close(): Promise<void>;
}

const INITIALIZE_TIMEOUT_MS = 10_000;
const LIST_TIMEOUT_MS = 30_000;
const MAX_LIST_PAGES = 100;
/** Changes come in bursts when a server loads its plugins. */
const CHANGE_DEBOUNCE_MS = 200;

/** The end of a program's standard error is often the only place that says what is wrong. */
export type ConnectFailure = Error & { readonly stderr?: string };

type Sdk = typeof import('@modelcontextprotocol/client');

export async function openConnection(
  config: McpServerConfig,
  deps: ConnectionDeps,
  control: ConnectionControl,
): Promise<Connection> {
  // Loading the SDK takes a tenth of a second that programs without servers need not pay.
  const sdk = await import('@modelcontextprotocol/client');
  const state: LinkState = { error: undefined, isOurs: false };
  const transport = await createTransport(sdk, { config, deps, lose });
  const client = createClient(sdk, { config, deps, control });

  function lose(error: Error): void {
    state.error ??= error;
    void client.close();
  }
  client.onerror = (error) => {
    state.error ??= error;
  };
  client.onclose = () => {
    if (!state.isOurs) control.onLost(state.error ?? new Error('the server closed it'));
  };

  try {
    await client.connect(transport, { timeout: INITIALIZE_TIMEOUT_MS, signal: control.signal });
  } catch (thrown) {
    state.isOurs = true;
    await transport.close();
    throw explain(isClosed(thrown) ? (state.error ?? thrown) : thrown, transport);
  }
  state.error = undefined;
  return toConnection(client, () => {
    state.isOurs = true;
  });
}

interface LinkState {
  error: Error | undefined;
  isOurs: boolean;
}

function createClient(
  sdk: Sdk,
  parts: {
    readonly config: McpServerConfig;
    readonly deps: ConnectionDeps;
    readonly control: ConnectionControl;
  },
): Client {
  // No capabilities: a server may not ask for our model, our files or our user.
  return new sdk.Client(
    { name: 'pincer', version: parts.deps.version },
    {
      capabilities: {},
      listMaxPages: MAX_LIST_PAGES,
      versionNegotiation: { mode: parts.config.protocol },
      inputRequired: { autoFulfill: false },
      listChanged: {
        tools: {
          autoRefresh: false,
          debounceMs: CHANGE_DEBOUNCE_MS,
          onChanged: () => parts.control.onToolsChanged(),
        },
      },
    },
  );
}

function toConnection(client: Client, beforeClose: () => void): Connection {
  const info = client.getServerVersion();
  return {
    serverInfo: info === undefined ? undefined : { name: info.name, version: info.version },
    protocolVersion: client.getNegotiatedProtocolVersion(),

    async listTools(signal) {
      if (client.getServerCapabilities()?.tools === undefined) return [];
      // Both: the one bounds each page, the other all of them together.
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(LIST_TIMEOUT_MS)]);
      const options = { timeout: LIST_TIMEOUT_MS, signal: deadline, cacheMode: 'refresh' as const };
      return (await client.listTools(undefined, options)).tools;
    },

    call: ({ tool, inputSchema, input, timeoutMs, signal }) =>
      client.callTool(
        { name: tool, arguments: { ...input } },
        {
          signal,
          timeout: timeoutMs,
          // Without its output schema: checking results would compile code from what a stranger wrote.
          toolDefinition: { name: tool, inputSchema: { ...inputSchema, type: 'object' } },
        },
      ),

    async close() {
      beforeClose();
      await client.close();
    },
  };
}

interface TransportParts {
  readonly config: McpServerConfig;
  readonly deps: ConnectionDeps;
  readonly lose: (error: Error) => void;
}

type ReportingTransport = Transport & { readonly stderrTail?: () => string };

function createTransport(sdk: Sdk, parts: TransportParts): Promise<ReportingTransport> {
  const { config } = parts;
  return config.type === 'stdio'
    ? createProgram(sdk, config, parts.deps)
    : createHttp(sdk, config, parts);
}

async function createProgram(sdk: Sdk, config: StdioServerConfig, deps: ConnectionDeps) {
  const given = await resolveAll(config.env, deps);
  return new StdioTransport({
    command: config.command,
    args: config.args,
    cwd: config.cwd,
    env: serverEnvironment(deps.environment, config.inherit_env, given),
    clock: deps.clock,
    parseMessage: sdk.parseJSONRPCMessage,
  });
}

async function createHttp(sdk: Sdk, config: HttpServerConfig, { deps, lose }: TransportParts) {
  const headers = await resolveAll(config.headers, deps);
  return new sdk.StreamableHTTPClientTransport(new URL(config.url), {
    requestInit: { headers },
    fetch: createBoundedFetch({ maxBytes: MAX_MESSAGE_BYTES, onAnswerLost: lose }),
  });
}

async function resolveAll(
  values: Readonly<Record<string, string>>,
  deps: ConnectionDeps,
): Promise<Record<string, string>> {
  const { resolveValue } = deps;
  if (!resolveValue) return { ...values };
  const entries = Object.entries(values).map(async ([name, value]) => [
    name,
    await resolveValue(value),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}

/** Says only that it is over; why, the transport has told before. */
function isClosed(thrown: unknown): boolean {
  const code = errnoOf(thrown);
  return code === 'CONNECTION_CLOSED' || code === 'NOT_CONNECTED';
}

function explain(thrown: unknown, transport: ReportingTransport): ConnectFailure {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const stderr = transport.stderrTail?.().trim();
  return stderr === undefined || stderr === '' ? error : Object.assign(error, { stderr });
}
