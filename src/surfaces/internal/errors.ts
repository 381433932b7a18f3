import { defined } from '../../core/defined.ts';
import type { ErrorCode, RuntimeError } from '../../core/errors.ts';
import type { EncodeError } from '../http/surface.ts';

/** Every core code in the words of contract 4. */
export const INTERNAL_ERRORS = {
  invalid_input: [400, 'invalid_request'],
  unprocessable: [422, 'invalid_request'],
  unsupported_media_type: [415, 'invalid_request'],
  payload_too_large: [413, 'invalid_request'],
  config_invalid: [400, 'invalid_request'],
  unauthenticated: [401, 'unauthorized'],
  forbidden: [403, 'forbidden'],
  forbidden_origin: [403, 'forbidden'],
  policy_denied: [403, 'forbidden'],
  approval_required: [403, 'forbidden'],
  not_found: [404, 'not_found'],
  method_not_allowed: [405, 'invalid_request'],
  conflict: [409, 'conflict'],
  stale_cursor: [410, 'stale_cursor'],
  rate_limited: [429, 'rate_limited'],
  queue_full: [429, 'rate_limited'],
  budget_exceeded: [429, 'rate_limited'],
  tool_not_found: [404, 'not_found'],
  tool_input_invalid: [422, 'invalid_request'],
  tool_failed: [500, 'internal_error'],
  sandbox_required: [403, 'forbidden'],
  sandbox_unavailable: [503, 'internal_error'],
  circuit_open: [503, 'internal_error'],
  outcome_unknown: [500, 'internal_error'],
  limit_reached: [429, 'rate_limited'],
  cancelled: [409, 'conflict'],
  lost_lease: [503, 'internal_error'],
  timeout: [504, 'internal_error'],
  provider_misconfigured: [503, 'internal_error'],
  provider_failed: [503, 'internal_error'],
  storage_unavailable: [503, 'internal_error'],
  shutting_down: [503, 'internal_error'],
  internal: [500, 'internal_error'],
} as const satisfies Record<ErrorCode, readonly [status: number, code: string]>;

export const encodeInternalError: EncodeError = (error) => {
  const [status, code] = INTERNAL_ERRORS[error.code];
  const details = findProblems(error, status);
  return {
    status,
    body: {
      error: {
        code,
        // An internal message was written for nobody outside.
        message: error.code === 'internal' ? 'internal error' : error.message,
        ...defined({ details }),
      },
    },
  };
};

/** Details of this contract are a list of what is wrong with a request. */
function findProblems(error: RuntimeError, status: number): readonly unknown[] | undefined {
  const problems: unknown = error.details?.['problems'];
  return (status === 400 || status === 422) && Array.isArray(problems) ? problems : undefined;
}
