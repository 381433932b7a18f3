import { createRuntime, type Runtime, type RuntimeOptions } from './app.ts';
import { publishServer, unpublishServer } from './config/server-file.ts';
import { systemClock, toIso } from './core/clock.ts';
import { RuntimeError } from './core/errors.ts';
import { createBearerAuth } from './surfaces/http/bearer-auth.ts';
import { createHttpServer, type HttpServer } from './surfaces/http/create-http-server.ts';
import { DEFAULT_HTTP_CONFIG, type HttpConfig } from './surfaces/http/http-config.ts';
import { createRateLimiter } from './surfaces/http/rate-limiter.ts';
import { createV1Surfaces } from './surfaces/v1/create-v1-surfaces.ts';
import { encodeV1Error } from './surfaces/v1/errors.ts';
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

/** Clients whose failed authentications are remembered at once. */
const MAX_FAILURE_KEYS = 10_000;
const HTTP_GRACE_MS = 2_000;

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

  /** Each part is closed whatever becomes of the one before. */
  async function close(graceMs?: number): Promise<void> {
    try {
      await unpublishServer(loaded.paths.root, process.pid);
    } finally {
      await http?.close(HTTP_GRACE_MS).finally(() => closeRuntime(graceMs));
    }
  }

  async function closeRuntime(graceMs: number | undefined): Promise<void> {
    await runtime
      .close(graceMs === undefined ? {} : { graceMs })
      .finally(() => tracing.current?.shutdown());
  }

  try {
    http = createHttp(runtime, metrics);
    const { url } = await http.listen();
    const startedAt = toIso(systemClock.nowMs());
    await publishServer(loaded.paths.root, { pid: process.pid, url, startedAt });
    logger.info({ url, engine: runtime.storage.engine }, 'listening');
    let closing: Promise<void> | undefined;
    return {
      url,
      runtime,
      close() {
        closing ??= close();
        return closing;
      },
    };
  } catch (error) {
    // Why it could not open matters more than what goes wrong while tidying up.
    await (http ? close(0) : closeRuntime(0)).catch(() => {});
    throw error;
  }
}

function createHttp(runtime: Runtime, metrics: ReturnType<typeof createMetrics>): HttpServer {
  const { loaded, logger, runs, ids, storage } = runtime;
  const { config, credentials } = loaded;
  const token = credentials.bearerToken;
  if (token === undefined) {
    throw new RuntimeError(
      'config_invalid',
      'there is no bearer token: run claw init, or set API_BEARER_TOKEN',
    );
  }
  const failures = createRateLimiter({
    max: config.api.auth_failures_per_minute,
    windowMs: 60_000,
    maxKeys: MAX_FAILURE_KEYS,
    nowMs: () => systemClock.nowMs(),
  });
  return createHttpServer({
    config: toHttpConfig(runtime),
    logger,
    clock: systemClock,
    ids,
    metrics,
    tracer: runtime.tracer,
    encodeError: encodeV1Error,
    info: {
      title: 'Pincer',
      version: VERSION,
      description: 'A durable runtime for agents: submit runs, follow their events, cancel them.',
    },
    surfaces: createV1Surfaces({
      runs,
      ping: () => storage.ping(),
      metrics,
      metricsPublic: config.server.metrics_public,
      authenticate: createBearerAuth({ token, failures }),
      authenticateBrowser: createBearerAuth({ token, failures, acceptsBasic: true }),
    }),
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
