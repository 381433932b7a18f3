import { type ErrorCode, RuntimeError, toRuntimeError } from '../../../core/errors.ts';

/** What the framework refuses before a handler runs, in our words. */
const FRAMEWORK_REFUSALS: Readonly<Record<string, readonly [code: ErrorCode, message: string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'content-type must be application/json',
  ],
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', 'request body is too large'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['invalid_input', 'request body is not valid JSON'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['invalid_input', 'request body is required'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'invalid_input',
    'content-length does not match the request body',
  ],
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: [
    'unsupported_media_type',
    'content-type must be application/json',
  ],
  FST_ERR_BAD_URL: ['invalid_input', 'request path is not a valid URL'],
  FST_ERR_MAX_PARAM_LENGTH: ['invalid_input', 'request path is too long'],
};

/** `maxBytes`: what a body may have, for whoever sent more. */
export function toRequestError(thrown: unknown, maxBytes?: number): RuntimeError {
  if (thrown instanceof RuntimeError) return thrown;
  const { code, statusCode } = asFrameworkError(thrown);
  const refusal = FRAMEWORK_REFUSALS[code];
  if (refusal) {
    const isTooLarge = refusal[0] === 'payload_too_large' && maxBytes !== undefined;
    return new RuntimeError(refusal[0], refusal[1], {
      cause: thrown,
      ...(isTooLarge ? { details: { limit_bytes: maxBytes } } : {}),
    });
  }
  // A request that breaks off in the middle of its body, or one the framework refuses for a reason of its own.
  if (statusCode >= 400 && statusCode < 500) {
    return new RuntimeError('invalid_input', 'request could not be read', { cause: thrown });
  }
  return toRuntimeError(thrown);
}

function asFrameworkError(thrown: unknown): { readonly code: string; readonly statusCode: number } {
  if (typeof thrown !== 'object' || thrown === null) return { code: '', statusCode: 0 };
  const { code, statusCode } = thrown as { readonly code?: unknown; readonly statusCode?: unknown };
  return {
    code: typeof code === 'string' ? code : '',
    statusCode: typeof statusCode === 'number' ? statusCode : 0,
  };
}
