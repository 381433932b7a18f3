import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode, RuntimeError } from '../../../core/errors.ts';
import type { Logger } from '../../../core/log.ts';
import { drainBody } from '../drain-body.ts';
import { pathOf } from '../path-of.ts';
import type { EncodeError } from '../surface.ts';
import { toRequestError } from './to-request-error.ts';

const MAX_DRAINED_BYTES = 16 * 1024 * 1024;
const DRAIN_TIMEOUT_MS = 2000;

export type SendError = (
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>;

export interface SendErrorDeps {
  readonly encodeError: EncodeError;
  readonly logger: Logger;
  /** What a body may have. */
  readonly maxBytes: number;
  readonly onError?: OnError | undefined;
}

/** Hears of every error that is answered with, once. */
export type OnError = (error: RuntimeError, request: FastifyRequest) => void;

/** The way every refusal and fault leaves, in the envelope of its surface. */
export function createSendError(deps: SendErrorDeps): SendError {
  const { encodeError, logger } = deps;
  return async (thrown, request, reply) => {
    const error = toRequestError(thrown, deps.maxBytes);
    deps.onError?.(error, request);
    const { status, body } = encodeError(error);
    if (status >= 500) {
      const fields = {
        request_id: request.id,
        method: request.method,
        path: pathOf(request.url),
        status,
        err: error,
      };
      // Only an internal fault is ours to explain; the others say what an operator can do.
      if (error.code === 'internal') logger.error(fields, 'request failed');
      else logger.warn(fields, 'request failed');
    }
    if (error.code === 'payload_too_large') {
      const bounds = { maxBytes: MAX_DRAINED_BYTES, timeoutMs: DRAIN_TIMEOUT_MS };
      if (await drainBody(request.raw, bounds)) reply.removeHeader('connection');
    }
    return reply.code(status).headers(headersOf(error)).send(body);
  };
}

/** When to come back after what passes by itself, where the error does not know better. */
const RETRY_AFTER_SECONDS: Partial<Record<ErrorCode, number>> = {
  storage_unavailable: 5,
  shutting_down: 5,
  lost_lease: 1,
};

function headersOf(error: RuntimeError): Record<string, string> {
  const headers: Record<string, string> = {};
  const {
    retry_after_seconds: retryAfter = RETRY_AFTER_SECONDS[error.code],
    allow,
    www_authenticate: challenge,
  } = error.details ?? {};
  if (typeof retryAfter === 'number')
    headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfter)));
  if (Array.isArray(allow)) headers['allow'] = allow.join(', ');
  if (typeof challenge === 'string') headers['www-authenticate'] = challenge;
  return headers;
}
