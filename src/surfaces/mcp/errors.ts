import { type ErrorCode, type RuntimeError, toRuntimeError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Logger } from '../../core/log.ts';
import type { EncodeError } from '../http/surface.ts';

const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const INTERNAL = -32603;
/** The range that JSON-RPC leaves to servers. */
const REFUSED = -32000;

/** Every core code on `/mcp`: the status, the JSON-RPC code, and our own code, as on `/v1`. */
const MCP_ERRORS = {
  invalid_input: [400, INVALID_PARAMS, 'invalid.request'],
  unprocessable: [422, INVALID_PARAMS, 'invalid.request'],
  unsupported_media_type: [415, INVALID_REQUEST, 'invalid.request'],
  payload_too_large: [413, INVALID_REQUEST, 'payload.too_large'],
  config_invalid: [400, INVALID_PARAMS, 'invalid.request'],
  unauthenticated: [401, REFUSED, 'auth.unauthorized'],
  forbidden: [403, REFUSED, 'policy.denied'],
  forbidden_origin: [403, REFUSED, 'policy.denied'],
  policy_denied: [403, REFUSED, 'policy.denied'],
  approval_required: [403, REFUSED, 'policy.denied'],
  not_found: [404, INVALID_PARAMS, '<thing>.not_found'],
  method_not_allowed: [405, METHOD_NOT_FOUND, 'method.not_allowed'],
  conflict: [409, REFUSED, 'conflict'],
  stale_cursor: [410, INVALID_PARAMS, 'cursor.stale'],
  rate_limited: [429, REFUSED, 'rate.limited'],
  queue_full: [429, REFUSED, 'queue.full'],
  budget_exceeded: [429, REFUSED, 'budget.exceeded'],
  tool_not_found: [404, INVALID_PARAMS, 'tool.not_found'],
  tool_input_invalid: [400, INVALID_PARAMS, 'tool.input_invalid'],
  tool_failed: [500, INTERNAL, 'tool_failed'],
  sandbox_required: [403, REFUSED, 'sandbox.required'],
  sandbox_unavailable: [503, REFUSED, 'sandbox.unavailable'],
  circuit_open: [503, REFUSED, 'service.unavailable'],
  outcome_unknown: [500, INTERNAL, 'outcome_unknown'],
  limit_reached: [429, REFUSED, 'rate.limited'],
  cancelled: [409, REFUSED, 'conflict'],
  lost_lease: [503, REFUSED, 'service.unavailable'],
  timeout: [504, REFUSED, 'timeout'],
  provider_misconfigured: [503, REFUSED, 'internal.error'],
  provider_failed: [503, REFUSED, 'service.unavailable'],
  storage_unavailable: [503, REFUSED, 'service.unavailable'],
  shutting_down: [503, REFUSED, 'service.unavailable'],
  internal: [500, INTERNAL, 'internal.error'],
} as const satisfies Record<ErrorCode, readonly [status: number, rpcCode: number, code: string]>;

/** What is refused before the protocol is reached, in the protocol's own shape. */
export const encodeMcpError: EncodeError = (error) => {
  const [status, rpcCode] = MCP_ERRORS[error.code];
  const { code, message } = encodeFault(error);
  return {
    status,
    body: { jsonrpc: '2.0', error: { code: rpcCode, message, data: { code } }, id: null },
  };
};

/** A fault inside a tool's result, for the model that called it. */
export function encodeFault(error: RuntimeError): { code: string; message: string } & JsonObject {
  const thing = error.details?.['thing'];
  const code = MCP_ERRORS[error.code][2].replace(
    '<thing>',
    typeof thing === 'string' ? thing : 'resource',
  );
  // An internal message was written for nobody outside.
  return { code, message: error.code === 'internal' ? 'internal error' : error.message };
}

export function toRpcCode(error: RuntimeError): number {
  return MCP_ERRORS[error.code][1];
}

/** What went wrong inside is for the log alone. */
export function reportFault(logger: Logger, thrown: unknown): RuntimeError {
  const error = toRuntimeError(thrown);
  if (error.code === 'internal') logger.error({ err: error }, 'mcp call failed');
  return error;
}
