import { type Backoff, backoffMs } from '../core/backoff.ts';
import type { Clock } from '../core/clock.ts';
import { RuntimeError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type { Logger } from '../core/log.ts';
import type { ToolRegistry } from '../core/tools/registry.ts';
import type { ToolPin, ToolPinStore } from '../core/tools/tool-pin.ts';
import { toCallFault, unsent } from './call-fault.ts';
import { createChangeFollower } from './change-follower.ts';
import {
  type ConnectFailure,
  type Connection,
  type ConnectionDeps,
  openConnection,
} from './connection.ts';
import { decodeResult } from './decode-result.ts';
import { readRemoteTools } from './remote-tool.ts';
import type { McpServerConfig } from './server-config.ts';
import type { McpServerStatus, ServerFault } from './server-status.ts';
import { type Approval, createServerTools, type ServerTools } from './server-tools.ts';
import type { ToolCallRequest } from './to-tool.ts';

export interface ServerLinkDeps extends ConnectionDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly registry: Pick<ToolRegistry, 'replace'>;
  readonly pins: ToolPinStore;
  readonly random: () => number;
}

/** Half by chance: many servers that fell together do not come back together. */
const RECONNECT: Backoff = { firstMs: 1_000, maxMs: 60_000, jitter: 0.5 };
/** A server that stays up this long has recovered; one that dies sooner goes on waiting longer. */
const STABLE_MS = 60_000;
const MAX_FAULT_CHARS = 500;
/** How long calls under way may go on after their server was taken out of the configuration. */
const RETIRE_GRACE_MS = 10_000;
const RETIRED = 'its entry in the configuration was changed or removed';

export interface LinkedServer {
  readonly name: string;
  readonly key: string;
  readonly config: McpServerConfig;
}

/** Keeps one server connected from its making until it is closed. */
export class ServerLink {
  readonly name: string;
  /** Resolves when the first attempt has succeeded or failed. Never rejects. */
  readonly tried: Promise<void>;

  readonly #config: McpServerConfig;
  readonly #deps: ServerLinkDeps;
  readonly #tools: ServerTools;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #connection: Connection | undefined;
  #state: McpServerStatus['state'] = 'connecting';
  #lastError: ServerFault | undefined;
  #nextRetryAtMs: number | undefined;
  #wake = new AbortController();
  #lose: (error: Error) => void = () => {};
  #markTried: () => void = () => {};
  /** Listings and approvals one after the other: each reads pins, then writes and registers. */
  #queue: Promise<unknown> = Promise.resolve();
  #isRetired = false;
  #callsUnderWay = 0;
  #onIdle: () => void = () => {};

  /** Connects after `before`, which never rejects. */
  constructor(server: LinkedServer, deps: ServerLinkDeps, before?: Promise<void>) {
    this.name = server.name;
    this.#config = server.config;
    this.#deps = deps;
    this.#tools = createServerTools({
      ...deps,
      ...server,
      server: server.name,
      call: (request) => this.#call(request),
    });
    this.tried = new Promise((resolve) => {
      this.#markTried = resolve;
    });
    this.#running = Promise.resolve(before)
      .then(() => this.#keepConnected())
      .finally(() => this.#markTried());
  }

  status(): McpServerStatus {
    return {
      name: this.name,
      transport: this.#config.type,
      state: this.#state,
      lastError: this.#lastError,
      nextRetryAtMs: this.#nextRetryAtMs,
      serverInfo: this.#connection?.serverInfo,
      protocolVersion: this.#connection?.protocolVersion,
      tools: this.#tools.status,
      rejectedTools: this.#tools.rejected,
    };
  }

  getPin(tool: string): Promise<ToolPin> {
    return this.#tools.getPin(tool);
  }

  approve(approval: Approval): Promise<ToolPin> {
    return this.#inTurn(() => this.#tools.approve(approval));
  }

  /** Asks for the tools again, or tries to connect without waiting for the next retry. */
  async refresh(): Promise<void> {
    if (this.#connection && this.#state === 'ready') await this.#readTools(this.#connection);
    else this.#wake.abort();
  }

  /** Its tools are gone at once. Calls under way may end first, within bounds. */
  async retire(): Promise<void> {
    this.#isRetired = true;
    this.#tools.remove();
    if (this.#callsUnderWay > 0) {
      const idle = new AbortController();
      this.#onIdle = () => idle.abort();
      const early = AbortSignal.any([idle.signal, this.#stopping.signal]);
      await this.#deps.clock.sleep(RETIRE_GRACE_MS, early);
    }
    await this.close();
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    this.#lose(new Error('closed'));
    await this.#running;
    await this.#queue;
    this.#state = 'closed';
    this.#tools.remove();
  }

  async #keepConnected(): Promise<void> {
    const { clock, random } = this.#deps;
    const { signal } = this.#stopping;
    let failures = 0;
    while (!signal.aborted) {
      const startedAtMs = clock.nowMs();
      await this.#attempt();
      this.#markTried();
      if (signal.aborted) return;
      failures = clock.nowMs() - startedAtMs >= STABLE_MS ? 1 : failures + 1;
      const delayMs = backoffMs(RECONNECT, failures, random);
      this.#state = 'waiting';
      this.#nextRetryAtMs = clock.nowMs() + delayMs;
      await clock.sleep(delayMs, AbortSignal.any([signal, this.#wake.signal]));
      this.#wake = new AbortController();
      this.#nextRetryAtMs = undefined;
    }
  }

  /** Connects, and returns when the connection is over. Never throws. */
  async #attempt(): Promise<void> {
    this.#state = 'connecting';
    const lost = new Promise<Error>((resolve) => {
      this.#lose = resolve;
    });
    // Its own: what an earlier connection still reports must not end a later one.
    const lose = this.#lose;
    const ended = new AbortController();
    let phase: ServerFault['phase'] = 'initialize_handshake';
    try {
      const opened = await openConnection(this.#config, this.#deps, {
        signal: this.#stopping.signal,
        onLost: lose,
        onToolsChanged: createChangeFollower({
          read: async () => this.#connection && this.#readTools(this.#connection),
          onError: lose,
          clock: this.#deps.clock,
          signal: ended.signal,
        }),
      });
      this.#connection = opened;
      phase = 'tool_discovery';
      await Promise.race([this.#readTools(opened), lost.then((error) => Promise.reject(error))]);
      this.#isReady();
      phase = 'invocation';
      throw await lost;
    } catch (thrown) {
      this.#fail(phase, thrown);
    } finally {
      ended.abort();
      const connection = this.#connection;
      this.#connection = undefined;
      await connection?.close().catch(() => {});
    }
  }

  #isReady(): void {
    this.#state = 'ready';
    this.#lastError = undefined;
    this.#markTried();
    const tools = this.#tools.status.length;
    this.#deps.logger.info({ server: this.name, tools }, 'mcp server is ready');
  }

  #fail(phase: ServerFault['phase'], thrown: unknown): void {
    if (this.#stopping.signal.aborted) return;
    const reason = describe(thrown);
    this.#lastError = { phase, message: reason, atMs: this.#deps.clock.nowMs() };
    this.#deps.logger.warn({ server: this.name, phase, reason }, 'mcp server failed');
  }

  #readTools(from: Connection): Promise<void> {
    return this.#inTurn(async () => {
      const listed = await from.listTools(this.#stopping.signal);
      await this.#tools.show(readRemoteTools(listed));
    });
  }

  async #call(request: ToolCallRequest): Promise<JsonObject> {
    const used = this.#connection;
    if (this.#isRetired) {
      // Not for a retry: whoever still holds this tool holds one that never comes back.
      throw new RuntimeError(
        'tool_failed',
        `mcp server ${this.name} is not connected: ${RETIRED}`,
        {
          details: { effect: 'none' },
        },
      );
    }
    if (!used || this.#state !== 'ready') {
      throw unsent(this.name, this.#lastError?.message ?? this.#state);
    }
    this.#callsUnderWay += 1;
    try {
      return await this.#callOver(used, request);
    } finally {
      this.#callsUnderWay -= 1;
      if (this.#callsUnderWay === 0) this.#onIdle();
    }
  }

  async #callOver(
    used: Connection,
    { remote, input, idempotent, signal }: ToolCallRequest,
  ): Promise<JsonObject> {
    try {
      return decodeResult(
        await used.call({
          tool: remote.name,
          inputSchema: remote.declaration.inputSchema,
          input,
          timeoutMs: this.#config.call_timeout_ms,
          signal,
        }),
      );
    } catch (thrown) {
      if (thrown instanceof RuntimeError) throw thrown;
      if (signal.aborted) throw signal.reason;
      const call = { server: this.name, tool: remote.name, idempotent };
      const fault = toCallFault(thrown, call);
      // We ended it ourselves: what the connection says of that would lead astray.
      if (fault.isLost && this.#isRetired) throw toCallFault(new Error(RETIRED), call).error;
      if (fault.isLost && this.#connection === used) this.#lose(thrown as Error);
      throw fault.error;
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => {});
    return turn;
  }
}

function describe(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'unknown fault';
  const { stderr } = thrown as ConnectFailure;
  const said = stderr === undefined ? '' : ` (it said: ${stderr.slice(-MAX_FAULT_CHARS / 2)})`;
  return `${thrown.message.slice(0, MAX_FAULT_CHARS / 2)}${said}`;
}
