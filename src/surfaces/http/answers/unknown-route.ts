import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import { RuntimeError } from '../../../core/errors.ts';
import { pathOf } from '../path-of.ts';

const METHODS: readonly HTTPMethods[] = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'];
const MAX_ECHOED_CHARS = 200;

/** A path that nobody serves, or one that is served for other methods. */
export function toUnknownRoute(app: FastifyInstance, request: FastifyRequest): RuntimeError {
  const path = pathOf(request.url);
  const allow = METHODS.filter((method) => app.findRoute({ method, url: path }) !== null);
  const shown = path.slice(0, MAX_ECHOED_CHARS);
  if (allow.length > 0) {
    return new RuntimeError(
      'method_not_allowed',
      `method ${request.method} is not allowed for ${shown}`,
      {
        details: { allow },
      },
    );
  }
  return new RuntimeError('not_found', `route ${request.method} ${shown} does not exist`, {
    details: {
      thing: 'route',
      recovery_action: 'Check the path; GET /openapi.json names every route, and /docs shows them.',
    },
  });
}
