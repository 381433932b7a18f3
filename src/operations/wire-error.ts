import { type ErrorCode, RuntimeError } from '../core/errors.ts';
import { isJsonObject, type JsonObject } from '../core/json.ts';

/** Codes of `/v1` and of `/api` that mean one thing here too. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  'invalid.request': 'invalid_input',
  'payload.too_large': 'payload_too_large',
  'auth.unauthorized': 'unauthenticated',
  'policy.denied': 'policy_denied',
  'tool.not_found': 'tool_not_found',
  'tool.input_invalid': 'tool_input_invalid',
  conflict: 'conflict',
  'rate.limited': 'rate_limited',
  'queue.full': 'queue_full',
  'budget.exceeded': 'budget_exceeded',
  'chat.rate_limited': 'rate_limited',
  'chat.rejected': 'policy_denied',
  'chat.disabled': 'conflict',
  timeout: 'timeout',
  'service.unavailable': 'shutting_down',
  validation_error: 'invalid_input',
  unsupported_media_type: 'unsupported_media_type',
  payload_too_large: 'payload_too_large',
  unauthorized: 'unauthenticated',
  forbidden: 'forbidden',
  policy_denied: 'policy_denied',
  not_found: 'not_found',
  method_not_allowed: 'method_not_allowed',
  stale_cursor: 'stale_cursor',
  rate_limited: 'rate_limited',
  limit_reached: 'limit_reached',
  budget_exceeded: 'budget_exceeded',
  provider_configuration_error: 'provider_misconfigured',
  provider_runtime_error: 'provider_failed',
  service_unavailable: 'shutting_down',
};

/** The kill switch is on: the server is there, and coming back later does not help. */
const STOPPED = 'runtime.stopped';

/** What the server's refusal means, from its envelope and, where there is none, from its status. */
export function decodeWireError(status: number, body: unknown): RuntimeError {
  const envelope = isJsonObject(body) && isJsonObject(body['error']) ? body['error'] : undefined;
  if (envelope === undefined) return fromStatus(status);
  const wireCode = typeof envelope['code'] === 'string' ? envelope['code'] : '';
  const message =
    typeof envelope['message'] === 'string' ? envelope['message'] : `the server answered ${status}`;
  const known = Object.hasOwn(CODES, wireCode) ? CODES[wireCode] : undefined;
  if (wireCode === STOPPED) {
    const details = { ...toDetails(envelope['details']), part: 'kill_switch' };
    return new RuntimeError('shutting_down', message, { details, retryable: false });
  }
  const [thing, suffix] = wireCode.split('.');
  if (known === undefined && suffix === 'not_found') {
    return new RuntimeError('not_found', message, { details: { thing } });
  }
  return new RuntimeError(known ?? fromStatus(status).code, message, {
    details: toDetails(envelope['details']),
  });
}

function toDetails(details: unknown): JsonObject {
  return isJsonObject(details) ? details : {};
}

function fromStatus(status: number): RuntimeError {
  if (status === 401) return new RuntimeError('unauthenticated', 'the server refused the token');
  if (status === 503) return new RuntimeError('shutting_down', 'the server is not ready (503)');
  return new RuntimeError('internal', `the server answered ${status} without an explanation`);
}
