import { defined } from '../../../core/defined.ts';
import type { ErrorCode, RuntimeError } from '../../../core/errors.ts';
import type { EncodeError } from '../surface.ts';

/** Every core code on the surfaces with dotted codes, `/v1` and `/api/admin`. `not_found` says what was not found: `run.not_found`. */
export const DOTTED_ERRORS = {
  invalid_input: [400, 'invalid.request'],
  unprocessable: [422, 'invalid.request'],
  unsupported_media_type: [415, 'invalid.request'],
  payload_too_large: [413, 'payload.too_large'],
  config_invalid: [400, 'invalid.request'],
  unauthenticated: [401, 'auth.unauthorized'],
  forbidden: [403, 'policy.denied'],
  forbidden_origin: [403, 'policy.denied'],
  policy_denied: [403, 'policy.denied'],
  approval_required: [403, 'policy.denied'],
  not_found: [404, '<thing>.not_found'],
  method_not_allowed: [405, 'method.not_allowed'],
  conflict: [409, 'conflict'],
  stale_cursor: [410, 'cursor.stale'],
  rate_limited: [429, 'rate.limited'],
  queue_full: [429, 'queue.full'],
  budget_exceeded: [429, 'budget.exceeded'],
  tool_not_found: [404, 'tool.not_found'],
  tool_input_invalid: [400, 'tool.input_invalid'],
  tool_failed: [500, 'internal.error'],
  sandbox_required: [403, 'sandbox.required'],
  sandbox_unavailable: [503, 'sandbox.unavailable'],
  circuit_open: [503, 'service.unavailable'],
  outcome_unknown: [500, 'internal.error'],
  limit_reached: [429, 'rate.limited'],
  cancelled: [409, 'conflict'],
  lost_lease: [503, 'service.unavailable'],
  timeout: [504, 'timeout'],
  provider_misconfigured: [503, 'internal.error'],
  provider_failed: [503, 'service.unavailable'],
  storage_unavailable: [503, 'service.unavailable'],
  shutting_down: [503, 'service.unavailable'],
  internal: [500, 'internal.error'],
} as const satisfies Record<ErrorCode, readonly [status: number, code: string]>;

/** Parts of the runtime with words of their own for some refusals; the core names the part in `details.part`. */
const PART_CODES: Readonly<Record<string, Partial<Record<ErrorCode, string>>>> = {
  chat: {
    not_found: 'chat.disabled',
    policy_denied: 'chat.rejected',
    rate_limited: 'chat.rate_limited',
  },
  kill_switch: { shutting_down: 'runtime.stopped' },
};

/** Details that callers may see; the rest is for our own logs. */
const WIRE_DETAILS = [
  'retry_after_seconds',
  'path',
  'key',
  'field_errors',
  'floor',
  'near_seqs',
] as const;

export const encodeDottedError: EncodeError = (error) => {
  const [status] = DOTTED_ERRORS[error.code];
  const details = encodeDetails(error);
  return {
    status,
    body: {
      error: {
        code: codeOf(error),
        // An internal message was written for nobody outside.
        message: error.code === 'internal' ? 'internal error' : error.message,
        ...defined({ details }),
      },
    },
  };
};

function codeOf(error: RuntimeError): string {
  const part = error.details?.['part'];
  const own = typeof part === 'string' ? PART_CODES[part]?.[error.code] : undefined;
  if (own !== undefined) return own;
  return error.code === 'not_found' ? `${thingOf(error)}.not_found` : DOTTED_ERRORS[error.code][1];
}

function thingOf(error: RuntimeError): string {
  const thing = error.details?.['thing'];
  return typeof thing === 'string' ? thing : 'resource';
}

function encodeDetails(error: RuntimeError): Record<string, unknown> | undefined {
  if (error.code === 'internal') return undefined;
  const shown = WIRE_DETAILS.filter((name) => error.details?.[name] !== undefined);
  if (shown.length === 0) return undefined;
  return Object.fromEntries(shown.map((name) => [name, error.details?.[name]]));
}
