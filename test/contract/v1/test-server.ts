import { join } from 'node:path';
import { createPackBundle } from '../../../src/assembly/pack-bundle.ts';
import { type ChatSettings, createChat } from '../../../src/core/chat/chat.ts';
import { type Clock, systemClock } from '../../../src/core/clock.ts';
import { createIds } from '../../../src/core/create-ids.ts';
import { RuntimeError } from '../../../src/core/errors.ts';
import type { EventDraft } from '../../../src/core/events/event.ts';
import { createSeal, type Seal } from '../../../src/core/events/seal.ts';
import type { AgentId, RunId } from '../../../src/core/ids.ts';
import type { LogFields, Logger } from '../../../src/core/log.ts';
import { silentLogger } from '../../../src/core/log.ts';
import type { Redactor } from '../../../src/core/redact/redact.ts';
import { createForks } from '../../../src/core/replay/forks.ts';
import { createReplays } from '../../../src/core/replay/replays.ts';
import type { Run, RunEnd } from '../../../src/core/runs/run.ts';
import type { LeaseRef } from '../../../src/core/runs/run-store.ts';
import { createRuns, type ServedRuns } from '../../../src/core/runs/runs.ts';
import { DEFAULT_CONTEXT_LIMITS } from '../../../src/core/sessions/context-limits.ts';
import { createSessions, type Sessions } from '../../../src/core/sessions/sessions.ts';
import type { Storage } from '../../../src/core/storage.ts';
import { noMetrics, noTracer } from '../../../src/core/telemetry.ts';
import { failure } from '../../../src/core/tools/envelope.ts';
import { createToolRegistry } from '../../../src/core/tools/registry.ts';
import { createToolRunner } from '../../../src/core/tools/tool-runner.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/open-sqlite-storage.ts';
import { createBearerAuth } from '../../../src/surfaces/http/bearer-auth.ts';
import {
  createHttpServer,
  type HttpServer,
} from '../../../src/surfaces/http/create-http-server.ts';
import { DEFAULT_HTTP_CONFIG, type HttpConfig } from '../../../src/surfaces/http/http-config.ts';
import type { HttpMetrics } from '../../../src/surfaces/http/http-metrics.ts';
import { createRateLimiter } from '../../../src/surfaces/http/rate-limiter.ts';
import { createV1Surfaces } from '../../../src/surfaces/v1/create-v1-surfaces.ts';
import { encodeV1Error } from '../../../src/surfaces/v1/errors.ts';
import { atEnd } from '../../support/at-end.ts';
import { putFreshDatabase } from '../../support/fresh-state.ts';
import { openTempRoot } from '../../support/temp-root.ts';
import { createHttpClient, type HttpClient, TOKEN } from './http-client.ts';

export const AGENT = 'agent_default' as AgentId;
export const START_MS = Date.parse('2026-02-15T00:00:00.000Z');

interface LogLine {
  readonly level: string;
  readonly fields: LogFields;
  readonly message: string;
}

export interface TestServer extends HttpClient {
  readonly url: string;
  readonly port: number;
  readonly http: HttpServer;
  readonly storage: Storage;
  readonly runs: ServedRuns;
  readonly sessions: Sessions;
  readonly seal: Seal;
  readonly logs: readonly LogLine[];
}

export interface TestServerOptions {
  readonly config?: Partial<HttpConfig>;
  readonly clock?: Clock;
  readonly maxQueued?: number;
  readonly maxWaitingInSession?: number;
  /** Asked at every message, as the configuration is. */
  readonly chat?: () => Partial<ChatSettings>;
  readonly metricsPublic?: boolean;
  readonly metrics?: HttpMetrics;
  readonly ping?: () => Promise<void>;
  /** Wraps the core, for faults that can't be had otherwise. */
  readonly alter?: (runs: ServedRuns) => ServedRuns;
}

/** Redaction has tests of its own; here texts are pinned to the letter. */
const plainRedactor: Redactor = {
  redact: (value) => ({ value, paths: [] }),
  redactText: (text) => text,
};

/** A listening server over a real core and a real database, without a runner: runs stay queued. */
export async function openTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const clock = options.clock ?? systemClock;
  const storage = await openStorage(clock);
  const ids = createIds(() => Date.now());
  const seal = createSeal({ ids, redactor: plainRedactor });
  const core = createRuns({
    runs: storage.runs,
    agents: storage.agents,
    events: storage.events,
    news: storage.news,
    effects: storage.effects,
    wakeups: storage.wakeups,
    tools: createToolRunner({
      registry: createToolRegistry([]),
      invoke: async () => failure(new RuntimeError('internal', 'nothing is called here')),
      recall: async () => undefined,
      ids,
      clock,
      tracer: noTracer,
      metrics: noMetrics,
      timeouts: () => ({ defaultMs: 1000, maxMs: 1000 }),
    }),
    ids,
    seal,
    redactor: plainRedactor,
    slots: undefined,
    maxQueued: options.maxQueued ?? 1000,
    maxWaitingInSession: options.maxWaitingInSession ?? 1000,
    clock,
  });
  const runs = options.alter?.(core) ?? core;
  const sessions = createSessions({
    store: storage.sessions,
    agents: storage.agents,
    ids,
    redactor: plainRedactor,
    context: () => DEFAULT_CONTEXT_LIMITS,
  });
  const logs: LogLine[] = [];
  const logger = recordInto(logs);
  const http = createServer({ options, clock, storage, runs, sessions, logger });
  const address = await http.listen();
  atEnd(() => http.close(1000));
  const client = createHttpClient(address.port);
  return { ...address, ...client, http, storage, runs, sessions, seal, logs };
}

async function openStorage(clock: Clock): Promise<Storage> {
  const root = await openTempRoot();
  atEnd(() => root.remove());
  const file = join(root.path, 'pincer.db');
  await putFreshDatabase(file);
  const storage = await openSqliteStorage({
    file,
    clock,
    writer: 'inline',
    logger: silentLogger,
  });
  atEnd(() => storage.close());
  await storage.agents.ensure({
    id: AGENT,
    name: 'Default',
    role: 'assistant',
    model: undefined,
    instructions: '',
  });
  return storage;
}

const CHAT: ChatSettings = {
  enabled: true,
  defaultAgentId: AGENT,
  allowUsers: [],
  allowRooms: [],
  rateLimitPerMin: 20,
  globalRateLimitPerMin: 120,
};

function createServer(parts: {
  readonly options: TestServerOptions;
  readonly clock: Clock;
  readonly storage: Storage;
  readonly runs: ServedRuns;
  readonly sessions: Sessions;
  readonly logger: Logger;
}): HttpServer {
  const { options, clock, storage, runs, sessions, logger } = parts;
  const { agents } = storage;
  const settings = () => ({ ...CHAT, ...options.chat?.() });
  const failures = createRateLimiter({
    max: 20,
    windowMs: 60_000,
    maxKeys: 1000,
    nowMs: () => clock.nowMs(),
  });
  return createHttpServer({
    config: { ...DEFAULT_HTTP_CONFIG, port: 0, ...options.config },
    logger,
    clock,
    ids: createIds(() => Date.now()),
    encodeError: encodeV1Error,
    info: { title: 'Pincer', version: '0.0.0-test', description: 'A test server.' },
    ...(options.metrics === undefined ? {} : { metrics: options.metrics }),
    surfaces: createV1Surfaces({
      runs,
      sessions,
      replays: createReplays(storage),
      forks: createForks({ ...storage, submit: runs.submit }),
      packBundle: createPackBundle(storage),
      chat: createChat({ runs, sessions, agents, clock, settings }),
      ping: options.ping ?? (() => storage.ping()),
      metrics: { render: async () => '# HELP up Is it up?\n# TYPE up gauge\nup 1\n' },
      metricsPublic: options.metricsPublic ?? false,
      authenticate: createBearerAuth({ token: TOKEN, failures }),
      authenticateBrowser: createBearerAuth({ token: TOKEN, failures, acceptsBasic: true }),
    }),
  });
}

function recordInto(logs: LogLine[]): Logger {
  const record = (level: string) => (fields: LogFields, message: string) => {
    logs.push({ level, fields, message });
  };
  return {
    debug: record('debug'),
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
  };
}

export async function submit(server: TestServer, id: string, message = 'hello'): Promise<Run> {
  const request = { id: id as RunId, agentId: AGENT, message, source: 'http' };
  return (await server.runs.submit(request)).run;
}

/** A claimed run: its log holds `run.created` and `run.started`. */
export async function start(server: TestServer, id: string): Promise<LeaseRef> {
  await submit(server, id);
  const claimed = await server.storage.runs.claim({
    owner: 'test',
    leaseMs: 60_000,
    only: id as RunId,
    started: server.seal({ type: 'run.started', payload: {} }),
    recovered: server.seal({ type: 'run.recovered', payload: {} }),
  });
  if (!claimed) throw new Error(`run ${id} could not be claimed`);
  return { runId: id as RunId, leaseId: claimed.lease.id };
}

export function append(server: TestServer, lease: LeaseRef, ...drafts: readonly EventDraft[]) {
  return server.storage.runs.append(lease, drafts.map(server.seal));
}

export function delta(text: string): EventDraft {
  return { type: 'model.delta', actor: 'model', payload: { text } };
}

const COMPLETED: RunEnd = {
  status: 'completed',
  stopReason: 'completed',
  output: 'all done',
  totals: { turns: 1, toolCalls: 1, inputTokens: 12, outputTokens: 7, costUsd: null },
};

export function finish(server: TestServer, lease: LeaseRef, end: RunEnd = COMPLETED) {
  const payload = { status: end.status, output: end.output };
  return server.storage.runs.finish(
    lease,
    [server.seal({ type: `run.${end.status}`, payload })],
    end,
  );
}
