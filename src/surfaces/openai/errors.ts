import { z } from 'zod';
import { UNSUPPORTED } from '../../core/completions/assert-follows-manner.ts';
import type { ErrorCode, RuntimeError } from '../../core/errors.ts';
import type { EncodeError } from '../http/surface.ts';

const INVALID = 'invalid_request_error';
const RATE = 'rate_limit_error';
const SERVER = 'server_error';

/** Every core code in the words of OpenAI's API, where it has some. */
export const OPENAI_ERRORS = {
  invalid_input: [400, INVALID, 'invalid_value'],
  unprocessable: [422, INVALID, 'invalid_value'],
  unsupported_media_type: [415, INVALID, 'unsupported_media_type'],
  payload_too_large: [413, INVALID, 'request_too_large'],
  config_invalid: [400, INVALID, 'invalid_value'],
  unauthenticated: [401, INVALID, 'invalid_api_key'],
  forbidden: [403, 'permission_error', 'forbidden'],
  forbidden_origin: [403, 'permission_error', 'forbidden'],
  policy_denied: [403, 'permission_error', 'policy_denied'],
  approval_required: [403, 'permission_error', 'policy_denied'],
  not_found: [404, INVALID, '<thing>_not_found'],
  method_not_allowed: [405, INVALID, 'method_not_allowed'],
  conflict: [409, INVALID, 'conflict'],
  stale_cursor: [410, INVALID, 'events_deleted'],
  rate_limited: [429, RATE, 'rate_limit_exceeded'],
  queue_full: [429, RATE, 'queue_full'],
  budget_exceeded: [429, 'insufficient_quota', 'insufficient_quota'],
  tool_not_found: [404, INVALID, 'tool_not_found'],
  tool_input_invalid: [400, INVALID, 'invalid_value'],
  tool_failed: [502, SERVER, 'tool_failed'],
  sandbox_required: [403, 'permission_error', 'policy_denied'],
  sandbox_unavailable: [503, SERVER, 'service_unavailable'],
  circuit_open: [503, SERVER, 'service_unavailable'],
  outcome_unknown: [500, SERVER, 'internal_error'],
  limit_reached: [429, RATE, 'limit_reached'],
  cancelled: [409, INVALID, 'cancelled'],
  lost_lease: [503, SERVER, 'service_unavailable'],
  timeout: [504, SERVER, 'timeout'],
  provider_misconfigured: [503, SERVER, 'provider_misconfigured'],
  provider_failed: [502, SERVER, 'provider_failed'],
  storage_unavailable: [503, SERVER, 'service_unavailable'],
  shutting_down: [503, SERVER, 'service_unavailable'],
  internal: [500, SERVER, 'internal_error'],
} as const satisfies Record<ErrorCode, readonly [status: number, type: string, code: string]>;

export const openAiErrorEnvelope = z
  .object({
    error: z.object({
      message: z.string().meta({ examples: ['messages is required'] }),
      type: z.string().meta({ examples: [INVALID] }),
      param: z
        .string()
        .nullable()
        .meta({ examples: ['messages'] }),
      code: z
        .string()
        .nullable()
        .meta({ examples: ['invalid_value'] }),
    }),
  })
  .meta({ id: 'OpenAiError', description: "Every answer of OpenAI's paths that is not 2xx." });

export const encodeOpenAiError: EncodeError = (error) => {
  const [status, type] = OPENAI_ERRORS[error.code];
  const field = error.details?.['field'];
  const param = typeof field === 'string' && field !== '' ? field : null;
  // An internal message was written for nobody outside.
  const message = error.code === 'internal' ? 'internal error' : error.message;
  return { status, body: { error: { message, type, param, code: codeOf(error) } } };
};

function codeOf({ code, details }: RuntimeError): string {
  if (details?.['reason'] === UNSUPPORTED) return 'unsupported_parameter';
  const thing = details?.['thing'];
  return OPENAI_ERRORS[code][2].replace('<thing>', typeof thing === 'string' ? thing : 'resource');
}
