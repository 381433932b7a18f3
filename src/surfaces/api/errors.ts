import type { ErrorCode, RuntimeError } from '../../core/errors.ts';
import type { EncodeError } from '../http/surface.ts';
import { RECOVERY_ACTIONS } from './recovery-actions.ts';

/** Every core code in the words of contract 2. */
export const API_ERRORS = {
  invalid_input: [400, 'validation_error'],
  unprocessable: [422, 'validation_error'],
  unsupported_media_type: [415, 'unsupported_media_type'],
  payload_too_large: [413, 'payload_too_large'],
  config_invalid: [400, 'validation_error'],
  unauthenticated: [401, 'unauthorized'],
  forbidden: [403, 'forbidden'],
  forbidden_origin: [403, 'forbidden'],
  policy_denied: [403, 'policy_denied'],
  approval_required: [403, 'policy_denied'],
  not_found: [404, 'not_found'],
  method_not_allowed: [405, 'method_not_allowed'],
  conflict: [409, 'conflict'],
  stale_cursor: [410, 'stale_cursor'],
  rate_limited: [429, 'rate_limited'],
  queue_full: [429, 'rate_limited'],
  budget_exceeded: [429, 'budget_exceeded'],
  tool_not_found: [404, 'not_found'],
  tool_input_invalid: [400, 'validation_error'],
  tool_failed: [502, 'provider_runtime_error'],
  sandbox_required: [403, 'policy_denied'],
  sandbox_unavailable: [503, 'service_unavailable'],
  circuit_open: [503, 'service_unavailable'],
  outcome_unknown: [500, 'internal_error'],
  limit_reached: [429, 'limit_reached'],
  cancelled: [409, 'conflict'],
  lost_lease: [503, 'service_unavailable'],
  timeout: [504, 'timeout'],
  provider_misconfigured: [503, 'provider_configuration_error'],
  provider_failed: [502, 'provider_runtime_error'],
  storage_unavailable: [503, 'service_unavailable'],
  shutting_down: [503, 'service_unavailable'],
  internal: [500, 'internal_error'],
} as const satisfies Record<ErrorCode, readonly [status: number, code: string]>;

/** Details that callers may see beside the taxonomy and what to do; the rest is for our own logs. */
const SHOWN_DETAILS = [
  'thing',
  'path',
  'key',
  'floor',
  'allow',
  'limit_bytes',
  'run_id',
  'retry_after_seconds',
  'field_errors',
  'problems',
] as const;

export const encodeApiError: EncodeError = (error) => {
  const [status, code] = API_ERRORS[error.code];
  return {
    status,
    body: {
      error: {
        code,
        // An internal message was written for nobody outside.
        message: error.code === 'internal' ? 'internal error' : error.message,
        details: encodeDetails(error),
      },
    },
  };
};

function encodeDetails(error: RuntimeError): Record<string, unknown> {
  const own = error.code === 'internal' ? undefined : error.details;
  const better = own?.['recovery_action'];
  const shown = SHOWN_DETAILS.filter((name) => own?.[name] !== undefined);
  return {
    taxonomy: error.taxonomy,
    recovery_action: typeof better === 'string' ? better : RECOVERY_ACTIONS[error.code],
    ...Object.fromEntries(shown.map((name) => [name, own?.[name]])),
  };
}
