import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../../core/log.ts';
import type { HttpMetrics } from './http-metrics.ts';
import { pathOf } from './path-of.ts';

/** What proxies log for a caller that left before its answer was complete. */
const CLIENT_CLOSED_STATUS = 499;

export interface RequestObserver {
  observe(request: FastifyRequest, reply: FastifyReply): void;
}

/** One log line and one measurement per request, also when the caller leaves early or the answer is a stream. */
export function createRequestObserver(deps: {
  readonly logger: Logger;
  readonly metrics: HttpMetrics;
  /** The name of the surface that a request target belongs to. */
  readonly surfaceOf: (target: string) => string;
}): RequestObserver {
  const { logger } = deps;
  return {
    observe(request, reply) {
      const startedAt = performance.now();
      const response = reply.raw;
      response.once('close', () => {
        const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000;
        // An answer that was cut after its end had been written counts as finished to Node.
        const isTaken = response.writableFinished && !response.errored;
        const status = isTaken ? response.statusCode : CLIENT_CLOSED_STATUS;
        const surface = deps.surfaceOf(request.url);
        const { url: route, config } = request.routeOptions;
        deps.metrics.httpRequest({
          surface,
          method: request.method,
          route: route ?? 'unmatched',
          status,
          durationMs,
        });
        const fields = {
          request_id: request.id,
          surface,
          method: request.method,
          path: pathOf(request.url),
          status,
          duration_ms: durationMs,
        };
        if (config?.quiet === true && status < 400) logger.debug(fields, 'request');
        else if (logger.routine) logger.routine(fields, 'request');
        else logger.info(fields, 'request');
      });
    },
  };
}
