import { Readable } from 'node:stream';
import { type FastifyInstance, fastify } from 'fastify';
import type { Clock } from '../../core/clock.ts';
import { RuntimeError } from '../../core/errors.ts';
import type { Ids } from '../../core/ids.ts';
import type { Logger } from '../../core/log.ts';
import { noTracer, type Tracer } from '../../core/telemetry.ts';
import {
  type ClientErrorAnswers,
  createClientErrorAnswers,
} from './answers/answer-client-error.ts';
import { limitAnswer } from './answers/limit-answer.ts';
import { createSendError, type OnError } from './answers/send-error.ts';
import { toUnknownRoute } from './answers/unknown-route.ts';
import { findSurface } from './find-surface.ts';
import { createHostCheck } from './host-check.ts';
import type { HttpConfig } from './http-config.ts';
import { type HttpMetrics, noHttpMetrics } from './http-metrics.ts';
import { limitConnections } from './limit-connections.ts';
import { listenOn } from './listen-on.ts';
import { mountSurface } from './mount-surface.ts';
import { createRequestObserver } from './observe-request.ts';
import { buildOpenApi, type OpenApiInfo } from './openapi/build-openapi.ts';
import type { OpenApiDocument } from './openapi/openapi-document.ts';
import { zodSchemaController } from './openapi/schema-compilers.ts';
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts';
import { createRequestIds } from './request-id.ts';
import { toOriginForm } from './request-target.ts';
import { SECURITY_HEADERS } from './security-headers.ts';
import { createEventStreams } from './streams/event-streams.ts';
import type { EncodeError, Surface, SurfaceKit } from './surface.ts';

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
  /** Awaited before anything that a caller sends in is acted upon; a throw refuses the request. */
  readonly beforeWrite?: () => Promise<void>;
  readonly onError?: OnError;
  /** Shared by several servers; absent, this process counts alone. */
  readonly rateLimiter?: RateLimiter;
}

export interface HttpServer {
  listen(): Promise<HttpAddress>;
  /** Ends streams, lets requests under way finish for `graceMs`, then cuts what is left. */
  close(graceMs: number): Promise<void>;
}

interface HttpAddress {
  readonly url: string;
  readonly port: number;
}

/** Callers whose windows are remembered at once; a server has few tokens. */
const MAX_RATE_KEYS = 10_000;
/** By how much a request may exceed its time before it is noticed. Node would look every 30 seconds. */
const MAX_OVERTIME_MS = 5_000;
/** As much longer as other answers a file may take to be taken. */
const FILE_TIMES = 10;
/** Longer than any id of ours: what is longer is refused by name instead of by the router. */
const MAX_PARAM_CHARS = 1024;

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

export function createHttpServer(deps: HttpServerDeps): HttpServer {
  const { config, logger } = deps;
  const state = { isClosing: false };
  const kit = createKit(deps);
  const clientErrors = createClientErrorAnswers({
    encodeError: deps.encodeError,
    newRequestId: () => deps.ids.request(),
  });
  const root = createRoot(deps, clientErrors);
  shareWithAll(root, deps, state);
  for (const surface of deps.surfaces) {
    const tracer = deps.tracer ?? noTracer;
    const { maxBodyBytes } = config;
    mountSurface(root, surface, { kit, tracer, maxBodyBytes, onError: deps.onError });
  }
  limitConnections(root.server, config.maxConnections);
  // Unknown expectations are ignored: refusing them would happen outside of every envelope.
  root.server.on('checkExpectation', (request, response) => {
    root.server.emit('request', request, response);
  });
  root.server.on('connect', (_request, socket) => clientErrors.toConnect(socket));

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

function createRoot(deps: HttpServerDeps, clientErrors: ClientErrorAnswers): FastifyInstance {
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
    http: {
      // The framework's own refusal of a missing Host has no body.
      requireHostHeader: false,
      connectionsCheckingInterval: Math.min(MAX_OVERTIME_MS, config.requestTimeoutMs),
    },
    rewriteUrl: (request) => toOriginForm(request.url ?? '/'),
    clientErrorHandler: (error, socket) => clientErrors.toUnreadable(error, socket),
    // Paths that can't be decoded reach no route and no hook.
    frameworkErrors: (error, request, reply) => {
      const surface = findSurface(deps.surfaces, request.url);
      reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id });
      observerOf(deps).observe(request, reply);
      const send = createSendError({
        encodeError: surface?.encodeError ?? deps.encodeError,
        logger: deps.logger,
        maxBytes: config.maxBodyBytes,
        onError: deps.onError,
      });
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
  root.decorateRequest('caller', undefined);
  const { encodeError, logger, onError } = deps;
  const maxBytes = deps.config.maxBodyBytes;
  const sendError = createSendError({ encodeError, logger, maxBytes, onError });
  // A method that nobody serves is refused as such, whatever the framework has against its body.
  root.setErrorHandler((thrown, request, reply) => {
    const isOurs = thrown instanceof RuntimeError;
    return sendError(
      request.is404 && !isOurs ? toUnknownRoute(root, request) : thrown,
      request,
      reply,
    );
  });
  root.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS);
    reply.header('x-request-id', request.id);
    observer.observe(request, reply);
    if (state.isClosing) {
      reply.header('connection', 'close');
      done(new RuntimeError('shutting_down', 'server is shutting down'));
      return;
    }
    const refusal = checkHost(request.raw, request.originalUrl);
    if (refusal) done(refusal);
    else done();
  });
  const { beforeWrite } = deps;
  if (beforeWrite !== undefined) {
    root.addHook('preHandler', async ({ method }) => {
      if (!READING.has(method)) await beforeWrite();
    });
  }
  root.addHook('onSend', async (_request, reply, payload) => {
    // A file is not held in memory: it may take its time.
    const times = payload instanceof Readable ? FILE_TIMES : 1;
    limitAnswer(reply.raw, times * deps.config.answerTimeoutMs);
  });
  root.setNotFoundHandler((request) => {
    throw toUnknownRoute(root, request);
  });
}

function observerOf(deps: HttpServerDeps) {
  return createRequestObserver({
    logger: deps.logger,
    metrics: deps.metrics ?? noHttpMetrics,
    surfaceOf: (target) => findSurface(deps.surfaces, target)?.name ?? 'none',
  });
}
