import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RuntimeError } from '../../core/errors.ts';
import type { Tracer } from '../../core/telemetry.ts';
import { addRoutes } from './add-routes.ts';
import { createSendError, type OnError } from './answers/send-error.ts';
import { toUnknownRoute } from './answers/unknown-route.ts';
import { acceptJsonBody } from './json-body.ts';
import type { RateVerdict } from './rate-limiter.ts';
import { loadWires } from './remember-wire.ts';
import type { Surface, SurfaceKit } from './surface.ts';
import { traceHandlers } from './trace-handlers.ts';

export interface MountOptions {
  readonly kit: SurfaceKit;
  readonly tracer: Tracer;
  readonly maxBodyBytes: number;
  readonly onError?: OnError | undefined;
}

/** One encapsulated plugin per surface: its hooks, parsers and error handler reach its own routes only. */
export function mountSurface(root: FastifyInstance, surface: Surface, options: MountOptions): void {
  const { kit } = options;
  root.register(
    async (app) => {
      const maxBytes = surface.maxBodyBytes ?? options.maxBodyBytes;
      const { encodeError } = surface;
      const { onError } = options;
      app.setErrorHandler(createSendError({ encodeError, logger: kit.logger, maxBytes, onError }));
      acceptJsonBody(app, {
        maxBytes,
        check: (request, bytes) => surface.checkBytes?.(request, bytes),
      });
      app.addHook('onRequest', (request, reply, done) => {
        const asked = admit(app, { surface, kit, request, reply });
        // The framework waits for a promise; without one it goes on in the same turn.
        if (asked === undefined) done();
        return asked;
      });
      if (surface.confirm) {
        app.addHook('preValidation', async (request) => surface.confirm?.(request));
      }
      traceHandlers(app, options.tracer, surface);
      if (surface.prefix !== '') {
        app.setNotFoundHandler((request) => {
          throw toUnknownRoute(app, request);
        });
      }
      await addRoutes(app, { surface, kit, isDocument: false });
      app.addHook('onListen', async () => void loadWires(app.wires, () => app.server.listening));
    },
    { prefix: surface.prefix },
  );
}

interface Admission {
  readonly surface: Surface;
  readonly kit: SurfaceKit;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * Who, how often, where to: all answered before a byte of the body is read. A promise only where somebody has to be asked,
 * which a token and a window of this process need not.
 */
function admit(app: FastifyInstance, admission: Admission): Promise<void> | undefined {
  const { surface, kit, request, reply } = admission;
  const authenticate = request.routeOptions.config?.authenticate ?? surface.authenticate;
  const assertKnown = () => {
    if (request.is404) throw toUnknownRoute(app, request);
    return undefined;
  };
  if (authenticate === 'public') return assertKnown();
  return andThen(authenticate(request), (caller) => {
    request.caller = caller;
    return andThen(kit.rateLimiter.take(caller.id), (verdict) => {
      limit(reply, verdict);
      return assertKnown();
    });
  });
}

function limit(reply: FastifyReply, verdict: RateVerdict): void {
  reply.header('ratelimit-limit', verdict.limit);
  reply.header('ratelimit-remaining', verdict.remaining);
  reply.header('ratelimit-reset', verdict.resetSeconds);
  if (verdict.isAllowed) return;
  throw new RuntimeError('rate_limited', `rate limit of ${verdict.limit} requests reached`, {
    details: { retry_after_seconds: verdict.resetSeconds },
  });
}

function andThen<Value>(
  value: Value | Promise<Value>,
  next: (value: Value) => Promise<void> | undefined,
): Promise<void> | undefined {
  return value instanceof Promise ? value.then(next) : next(value);
}
