import { type FastifyInstance, fastify } from 'fastify';
import type { Clock } from '../../core/clock.ts';
import { RuntimeError } from '../../core/errors.ts';
import type { Ids } from '../../core/ids.ts';
import type { Logger } from '../../core/log.ts';
import { noTracer, type Tracer } from '../../core/telemetry.ts';
import { createClientErrorAnswer } from './answer-client-error.ts';
import { buildOpenApi, type OpenApiInfo } from './build-openapi.ts';
import { createEventStreams } from './event-streams.ts';
import { createHostCheck } from './host-check.ts';
import type { HttpConfig } from './http-config.ts';
import { type HttpMetrics, noHttpMetrics } from './http-metrics.ts';
import { listenOn } from './listen-on.ts';
import { mountSurface } from './mount-surface.ts';
import { createRequestObserver } from './observe-request.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { pathOf } from './path-of.ts';
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts';
import { createRequestIds } from './request-id.ts';
import { zodSchemaController } from './schema-compilers.ts';
import { SECURITY_HEADERS } from './security-headers.ts';
import { createSendError } from './send-error.ts';
import type { EncodeError, Surface, SurfaceKit } from './surface.ts';
import { toUnknownRoute } from './unknown-route.ts';

export interface HttpServerDeps {
  readonly config: HttpConfig;
  readonly logger: Logger;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly ids: Pick<Ids, 'request'>;
  readonly surfaces: readonly Surface[];
  /** For what belongs to no surface: unknown paths at the root, bytes that are not HTTP. */
  readonly encodeError: EncodeError;
  readonly info: OpenApiInfo;
  readonly metrics?: HttpMetrics;
  readonly tracer?: Tracer;
  /** Shared by several servers; absent, this process counts alone. */
  readonly rateLimiter?: RateLimiter;
}

export interface HttpServer {
  listen(): Promise<HttpAddress>;
  /** Ends streams, lets requests under way finish for `graceMs`, then cuts what is left. */
  close(graceMs: number): Promise<void>;
}

export interface HttpAddress {
  readonly url: string;
  readonly port: number;
}

/** Callers whose windows are remembered at once; a server has few tokens. */
const MAX_RATE_KEYS = 10_000;
/** Longer than any id of ours: what is longer is refused by name instead of by the router. */
const MAX_PARAM_CHARS = 1024;

export function createHttpServer(deps: HttpServerDeps): HttpServer {
  const { config, logger } = deps;
  const state = { isClosing: false };
  const kit = createKit(deps);
  const root = createRoot(deps);
  shareWithAll(root, deps, state);
  for (const surface of deps.surfaces) {
    const tracer = deps.tracer ?? noTracer;
    mountSurface(root, surface, { kit, tracer, maxBodyBytes: config.maxBodyBytes });
  }
  root.server.maxConnections = config.maxConnections;
  // Unknown expectations are ignored: refusing them would happen outside of every envelope.
  root.server.on('checkExpectation', (request, response) => {
    root.server.emit('request', request, response);
  });

  return {
    listen: () => listenOn(root, config),

    async close(graceMs) {
      state.isClosing = true;
      kit.streams.closeAll();
      const cut = setTimeout(() => root.server.closeAllConnections(), graceMs);
      try {
        await root.close();
      } finally {
        clearTimeout(cut);
      }
      logger.debug({}, 'http server closed');
    },
  };
}

function createKit(deps: HttpServerDeps): SurfaceKit {
  const { config } = deps;
  const metrics = deps.metrics ?? noHttpMetrics;
  let document: Promise<OpenApiDocument> | undefined;
  const kit: SurfaceKit = {
    logger: deps.logger,
    streams: createEventStreams({
      maxStreams: config.maxStreams,
      stallMs: config.streamStallMs,
      heartbeatMs: config.streamHeartbeatMs,
      onCount: (count) => metrics.openStreams(count),
    }),
    rateLimiter:
      deps.rateLimiter ??
      createRateLimiter({
        max: config.rateLimitMax,
        windowMs: config.rateLimitWindowMs,
        maxKeys: MAX_RATE_KEYS,
        nowMs: () => deps.clock.nowMs(),
      }),
    openApi() {
      document ??= buildOpenApi(deps.surfaces, kit, deps.info);
      return document;
    },
  };
  return kit;
}

function createRoot(deps: HttpServerDeps): FastifyInstance {
  const { config } = deps;
  return fastify({
    logger: false,
    schemaController: zodSchemaController,
    bodyLimit: config.maxBodyBytes,
    requestTimeout: config.requestTimeoutMs,
    // Only the hop in front of us is believed: what stands before it in the list, the caller may have written.
    trustProxy: config.trustProxy ? (_address, hop) => hop < 1 : false,
    genReqId: createRequestIds(() => deps.ids.request()),
    // Ours would be outside of the envelope too; see the closing check among the shared hooks.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAM_CHARS },
    // The framework's own refusal of a missing Host has no body.
    http: { requireHostHeader: false },
    clientErrorHandler: createClientErrorAnswer({
      encodeError: deps.encodeError,
      newRequestId: () => deps.ids.request(),
    }),
    // Paths that can't be decoded reach no route and no hook.
    frameworkErrors: (error, request, reply) => {
      const surface = surfaceOf(deps.surfaces, request.url);
      reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id });
      observerOf(deps).observe(request, reply);
      const send = createSendError(surface?.encodeError ?? deps.encodeError, deps.logger);
      void send(error, request, reply);
    },
  });
}

/** What all surfaces share and nothing else: id, headers, Host and Origin, log line, the end. */
function shareWithAll(
  root: FastifyInstance,
  deps: HttpServerDeps,
  state: { readonly isClosing: boolean },
) {
  const checkHost = createHostCheck(deps.config);
  const observer = observerOf(deps);
  root.removeAllContentTypeParsers();
  root.setErrorHandler(createSendError(deps.encodeError, deps.logger));
  root.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS);
    reply.header('x-request-id', request.id);
    observer.observe(request, reply);
    if (state.isClosing) {
      reply.header('connection', 'close');
      done(new RuntimeError('shutting_down', 'server is shutting down'));
      return;
    }
    const refusal = checkHost(request.headers);
    if (refusal) done(refusal);
    else done();
  });
  root.setNotFoundHandler((request) => {
    throw toUnknownRoute(root, request);
  });
}

function observerOf(deps: HttpServerDeps) {
  return createRequestObserver({
    logger: deps.logger,
    metrics: deps.metrics ?? noHttpMetrics,
    surfaceOf: (target) => surfaceOf(deps.surfaces, target)?.name ?? 'none',
  });
}

/** The surface whose prefix matches longest. */
function surfaceOf(surfaces: readonly Surface[], target: string): Surface | undefined {
  const path = pathOf(target);
  let found: Surface | undefined;
  for (const surface of surfaces) {
    const isUnder = path === surface.prefix || path.startsWith(`${surface.prefix}/`);
    if (isUnder && surface.prefix.length >= (found?.prefix.length ?? 0)) found = surface;
  }
  return found;
}
