import { createRuntime, type Runtime, type RuntimeOptions } from './app.ts';
import { publishServer, unpublishServer } from './config/server-file.ts';
import { systemClock, toIso } from './core/clock.ts';
import { toRuntimeError } from './core/errors.ts';
import { type MountedSurfaces, mountSurfaces } from './mount-surfaces.ts';
import { createHttpServer, type HttpServer } from './surfaces/http/create-http-server.ts';
import { encodeDottedError } from './surfaces/http/dotted-errors.ts';
import { DEFAULT_HTTP_CONFIG, type HttpConfig } from './surfaces/http/http-config.ts';
import type { HttpMetrics } from './surfaces/http/http-metrics.ts';
import { createRateLimiter, type RateLimiter } from './surfaces/http/rate-limiter.ts';
import type { Surface } from './surfaces/http/surface.ts';
import { createMetrics } from './telemetry/create-metrics.ts';
import { openTracer } from './telemetry/open-tracer.ts';
import { VERSION } from './version.ts';

export interface Server {
  readonly url: string;
  readonly runtime: Runtime;
  /** Stops listening, drains runs up to the configured grace, and leaves the rest resumable. */
  close(): Promise<void>;
}

export type ServerOptions = Omit<RuntimeOptions, 'role' | 'metrics' | 'tracer'>;

const HTTP_GRACE_MS = 2_000;
/**
 * What a shutdown may take beside the grace for runs. With the default grace it ends within the ten seconds that
 * container runtimes wait before they kill; what is left open then is what a crash would leave.
 */
const CLOSING_MS = 4_000;

/** Opens the runtime of a state root and listens on its address. */
export async function openServer(options: ServerOptions = {}): Promise<Server> {
  const metrics = createMetrics({ countRuns: () => runtime.storage.runs.countByStatus() });
  const tracing = { current: undefined as Awaited<ReturnType<typeof openTracer>> | undefined };
  const runtime = await createRuntime({
    ...options,
    role: 'server',
    metrics,
    async openTracer(loaded, logger) {
      tracing.current = await openTracer({ ...loaded.traces, serviceVersion: VERSION, logger });
      return tracing.current.tracer;
    },
  });
  const { loaded, logger } = runtime;
  let http: HttpServer | undefined;
  let mounted: MountedSurfaces | undefined;

  const close = (graceMs?: number): Promise<void> =>
    closeAll([
      () => unpublishServer(loaded.paths.root, process.pid),
      async () => http?.close(HTTP_GRACE_MS),
      async () => mounted?.close(),
      () => runtime.close(graceMs === undefined ? {} : { graceMs }),
      async () => tracing.current?.shutdown(),
    ]);

  try {
    mounted = mountSurfaces(runtime, metrics);
    http = createHttp(runtime, metrics, mounted.surfaces);
    const { url } = await http.listen();
    const startedAt = toIso(systemClock.nowMs());
    await publishServer(loaded.paths.root, { pid: process.pid, url, startedAt });
    logger.info({ url, engine: runtime.storage.engine }, 'listening');
    void reportSandbox(runtime);
    let closing: Promise<void> | undefined;
    return {
      url,
      runtime,
      close() {
        const { shutdown_grace_ms: graceMs } = loaded.config.engine;
        closing ??= unlessTooLong(close(), graceMs + CLOSING_MS, () =>
          logger.warn({}, 'not everything could be closed in time; the next start takes it up'),
        );
        return closing;
      },
    };
  } catch (error) {
    // Why it could not open matters more than what goes wrong while tidying up.
    await close(0).catch(() => {});
    throw error;
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

/** One after the other, whatever becomes of each; the first failure is thrown at the end. */
async function closeAll(steps: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    await step().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw toRuntimeError(failures[0]);
}

function createHttp(
  runtime: Runtime,
  metrics: HttpMetrics,
  surfaces: readonly Surface[],
): HttpServer {
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
    beforeWrite: () => learnSecrets(runtime),
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
