import { createRuntime, type Runtime, type RuntimeOptions } from './app.ts';
import { assembleSecurity } from './assembly/assemble-security.ts';
import { getToken, mountSurfaces } from './assembly/mount-surfaces.ts';
import { type ClosingList, openInOrder } from './closing-list.ts';
import { publishServer, unpublishServer } from './config/state-root/server-file.ts';
import { createStoreCheck } from './core/check-store.ts';
import { systemClock, toIso } from './core/clock.ts';
import { toRuntimeError } from './core/errors.ts';
import { createNoteError } from './core/observability/note-error.ts';
import { createReadiness, type Readiness } from './core/readiness.ts';
import { createSignIns, type SignIns } from './core/sign-ins/sign-ins.ts';
import { pingAll } from './ping-all.ts';
import { encodeDottedError } from './surfaces/http/answers/dotted-errors.ts';
import { createHttpServer, type HttpServer } from './surfaces/http/create-http-server.ts';
import { findSurface } from './surfaces/http/find-surface.ts';
import { DEFAULT_HTTP_CONFIG, type HttpConfig } from './surfaces/http/http-config.ts';
import type { HttpMetrics } from './surfaces/http/http-metrics.ts';
import { createRateLimiter, type RateLimiter } from './surfaces/http/rate-limiter.ts';
import type { Surface } from './surfaces/http/surface.ts';
import { createMetrics } from './telemetry/create-metrics.ts';
import { openTracer } from './telemetry/open-tracer.ts';
import { BUILD, VERSION } from './version.ts';

export interface Server {
  readonly url: string;
  readonly runtime: Runtime;
  readonly signIns: SignIns;
  /**
   * Is not ready from now on, and after `noticeMs` takes no more work. Drains runs up to the configured grace, stops
   * listening, and leaves the rest resumable.
   */
  close(options?: { readonly noticeMs?: number }): Promise<void>;
}

export type ServerOptions = Omit<RuntimeOptions, 'role' | 'metrics'>;

const HTTP_GRACE_MS = 2_000;
/**
 * What a shutdown may take beside the grace for runs. With the default grace it ends within the ten seconds that
 * container runtimes wait before they kill; what is left open then is what a crash would leave.
 */
const CLOSING_MS = 4_000;

/** Opens the runtime of a state root and listens on its address. */
export function openServer(options: ServerOptions = {}): Promise<Server> {
  return openInOrder((closing) => open(options, closing));
}

async function open(options: ServerOptions, closing: ClosingList): Promise<Server> {
  const metrics = createMetrics({ countRuns: () => runtime.storage.runs.countByStatus() });
  closing.add(() => metrics.close());
  const runtime = await createRuntime({
    async openTracer(loaded, logger) {
      const traces = await openTracer({ ...loaded.traces, serviceVersion: VERSION, logger });
      closing.add(() => traces.shutdown());
      return traces.tracer;
    },
    ...options,
    role: 'server',
    metrics,
  });
  closing.add((graceMs) => runtime.close({ graceMs }));
  const { loaded, logger } = runtime;
  const ping = createStoreCheck({ ping: () => pingAll(runtime), clock: systemClock });
  const readiness = createReadiness({ isStarted: () => runtime.isStarted(), ping });
  const readChecklist = assembleSecurity(runtime);
  const signIns = assembleSignIns(runtime);
  const surfaces = mountSurfaces(runtime, { metrics, ping, readiness, readChecklist, signIns });
  const http = createHttp(runtime, { metrics, readiness, surfaces });
  closing.add(() => http.close(HTTP_GRACE_MS));
  const { url } = await http.listen();
  const startedAt = toIso(systemClock.nowMs());
  closing.add(() => unpublishServer(loaded.paths.root, process.pid));
  await publishServer(loaded.paths.root, { pid: process.pid, url, build: BUILD, startedAt });
  readiness.open();
  logger.info({ url, engine: runtime.storage.engine }, 'listening');
  void reportSandbox(runtime);
  let ending: Promise<void> | undefined;
  return {
    url,
    runtime,
    signIns,
    close({ noticeMs = 0 } = {}) {
      const { shutdown_grace_ms: graceMs } = loaded.config.engine;
      const work = { runtime, readiness, closing, noticeMs, graceMs };
      ending ??= unlessTooLong(end(work), noticeMs + graceMs + CLOSING_MS, () =>
        logger.warn({}, 'not everything could be closed in time; the next start takes it up'),
      );
      return ending;
    },
  };
}

interface Ending {
  readonly runtime: Runtime;
  readonly readiness: Readiness;
  readonly closing: ClosingList;
  readonly noticeMs: number;
  readonly graceMs: number;
}

/** Whoever follows a run that is under way sees its end: the listener goes after the work. */
async function end({ runtime, readiness, closing, noticeMs, graceMs }: Ending): Promise<void> {
  readiness.leave();
  if (noticeMs > 0) await systemClock.sleep(noticeMs);
  readiness.refuseWork();
  try {
    await runtime.drain(graceMs);
  } finally {
    await closing.close(graceMs);
  }
}

/** Tells at the start what would otherwise show at the first command; nothing waits for it. */
async function reportSandbox({ sandbox, logger }: Runtime): Promise<void> {
  if (sandbox === undefined) return;
  const probe = await sandbox.probe().catch((error: unknown) => ({
    available: false as const,
    reason: toRuntimeError(error).message,
  }));
  if (probe.available)
    logger.info({ sandbox: sandbox.name, version: probe.version }, 'sandbox works');
  else logger.error({ sandbox: sandbox.name, reason: probe.reason }, 'sandbox is unavailable');
}

async function unlessTooLong(
  work: Promise<void>,
  limitMs: number,
  onLimit: () => void,
): Promise<void> {
  const ended = new AbortController();
  const limit = systemClock.sleep(limitMs, ended.signal).then(() => {
    if (!ended.signal.aborted) onLimit();
  });
  await Promise.race([work, limit]).finally(() => ended.abort());
}

const DAY_MS = 24 * 60 * 60_000;

/** The token of a server is the one that it started with, and so are those who signed in with it. */
function assembleSignIns(runtime: Runtime): SignIns {
  const { storage, ids, logger, live } = runtime;
  return createSignIns({
    ...{ store: storage.signIns, clock: systemClock, ids, logger, token: getToken(runtime) },
    lifetime() {
      const { sign_in_idle_days: idle, sign_in_max_days: max } = live.current().config.api;
      return { idleMs: idle * DAY_MS, maxMs: max * DAY_MS };
    },
  });
}

interface HttpParts {
  readonly metrics: HttpMetrics;
  readonly readiness: Readiness;
  readonly surfaces: readonly Surface[];
}

function createHttp(runtime: Runtime, parts: HttpParts): HttpServer {
  const { metrics, readiness, surfaces } = parts;
  const noteError = createNoteError(runtime.observability);
  return createHttpServer({
    config: toHttpConfig(runtime),
    logger: runtime.logger,
    clock: systemClock,
    ids: runtime.ids,
    metrics,
    tracer: runtime.tracer,
    encodeError: encodeDottedError,
    info: {
      title: 'Pincer',
      version: VERSION,
      description:
        'A durable runtime for agents: submit runs, follow their events, settle what is open.',
    },
    surfaces,
    rateLimiter: createApiLimiter(runtime),
    onError(error, { id: requestId, url }) {
      noteError({ error, surface: findSurface(surfaces, url)?.name ?? 'none', requestId });
    },
    beforeWrite() {
      readiness.assertTakesWork();
      return learnSecrets(runtime);
    },
  });
}

/**
 * What callers send is redacted with what is known by then, on whichever node it was stored. A file that does not open
 * refuses nobody: what it held before stays struck, runs wait, and `/healthz` says why.
 */
async function learnSecrets({ secrets, storage }: Runtime): Promise<void> {
  try {
    await secrets.refresh();
  } catch (error) {
    if (storage.secretPlace !== undefined) throw error;
  }
}

/** Clients whose requests are counted at once. */
const MAX_RATE_KEYS = 10_000;

function createApiLimiter({ live }: Runtime): RateLimiter {
  const api = () => live.current().config.api;
  return createRateLimiter({
    get max() {
      return api().rate_limit_max;
    },
    get windowMs() {
      return api().rate_limit_window_ms;
    },
    maxKeys: MAX_RATE_KEYS,
    nowMs: () => systemClock.nowMs(),
  });
}

function toHttpConfig({ loaded }: Runtime): HttpConfig {
  const { server, api } = loaded.config;
  return {
    ...DEFAULT_HTTP_CONFIG,
    host: server.bind_address,
    port: server.port,
    allowedHosts: server.allowed_hosts,
    allowedOrigins: server.allowed_origins,
    maxBodyBytes: server.max_body_bytes,
    requestTimeoutMs: server.request_timeout_ms,
    maxConnections: server.max_connections,
    maxStreams: server.max_streams,
    trustProxy: server.trust_proxy,
    rateLimitMax: api.rate_limit_max,
    rateLimitWindowMs: api.rate_limit_window_ms,
  };
}
