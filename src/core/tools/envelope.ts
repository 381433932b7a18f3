import { toIso } from '../clock.ts';
import { defined } from '../defined.ts';
import type { ErrorCode, RuntimeError } from '../errors.ts';
import type { AgentId, RequestId, RunId } from '../ids.ts';
import { type JsonObject, toJsonValue } from '../json.ts';
import type { Artifact } from './artifact-store.ts';

/** How a tool call ended. Every path through the pipeline ends in one of these; none ends silently. */
export type ToolOutcome =
  | {
      readonly ok: true;
      readonly output: JsonObject;
      readonly summary: string;
      readonly artifact?: Artifact;
      /** Served from the dedupe store: the handler did not run for this call. */
      readonly fromCache?: boolean;
    }
  | { readonly ok: false; readonly error: ToolFault; readonly fromCache?: boolean };

export interface ToolFault {
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryable: boolean;
  readonly details?: JsonObject;
}

export interface ToolEnvelope {
  readonly requestId: RequestId;
  readonly runId: RunId;
  readonly agentId: AgentId;
  readonly callId: string;
  /** As the caller named it; the registered name once it was found. */
  readonly tool: string;
}

export function failure(error: RuntimeError): ToolOutcome {
  return {
    ok: false,
    error: {
      code: error.code,
      message: error.message,
      retryable: error.retryable,
      ...(error.details === undefined ? {} : { details: toJsonValue(error.details) as JsonObject }),
    },
  };
}

/** Contract 1's eight canonical codes, and ours where it has none. */
const WIRE_CODE = {
  invalid_input: 'invalid.request',
  unprocessable: 'tool.input_invalid',
  unsupported_media_type: 'invalid.request',
  payload_too_large: 'invalid.request',
  config_invalid: 'internal.error',
  unauthenticated: 'policy.denied',
  forbidden: 'policy.denied',
  forbidden_origin: 'policy.denied',
  policy_denied: 'policy.denied',
  approval_required: 'policy.denied',
  not_found: 'tool.input_invalid',
  method_not_allowed: 'invalid.request',
  conflict: 'conflict',
  stale_cursor: 'invalid.request',
  rate_limited: 'rate.limited',
  queue_full: 'queue.full',
  budget_exceeded: 'rate.limited',
  tool_not_found: 'tool.not_found',
  tool_input_invalid: 'tool.input_invalid',
  tool_failed: 'tool_failed',
  sandbox_required: 'sandbox.required',
  sandbox_unavailable: 'sandbox.unavailable',
  circuit_open: 'circuit_open',
  outcome_unknown: 'outcome_unknown',
  limit_reached: 'policy.denied',
  cancelled: 'cancelled',
  lost_lease: 'internal.error',
  timeout: 'timeout',
  provider_misconfigured: 'internal.error',
  provider_failed: 'internal.error',
  storage_unavailable: 'internal.error',
  shutting_down: 'internal.error',
  internal: 'internal.error',
} as const satisfies Record<ErrorCode, string>;

export function toWireCode(code: ErrorCode): string {
  return WIRE_CODE[code];
}

/** The payload of `tool.call`: contract 1's request envelope, and the model's own id for the call. */
export function encodeToolCall(
  envelope: ToolEnvelope,
  call: {
    readonly input: JsonObject;
    readonly timeoutMs: number;
    readonly atMs: number;
    readonly traits: readonly string[];
    /** Undefined when there is no such tool. */
    readonly effect: 'read' | 'write' | undefined;
    readonly idempotencyKey: string | undefined;
    readonly malformed: string | undefined;
  },
): JsonObject {
  return {
    request_id: envelope.requestId,
    run_id: envelope.runId,
    agent_id: envelope.agentId,
    tool: envelope.tool,
    tool_call_id: envelope.callId,
    input: call.input,
    timeout_ms: call.timeoutMs,
    created_at: toIso(call.atMs),
    ...(call.traits.length === 0 ? {} : { traits: call.traits }),
    ...defined({
      effect: call.effect,
      idempotency_key: call.idempotencyKey,
      malformed_input: call.malformed,
    }),
  };
}

/** The payload of `tool.result`: contract 1's response envelope with the summary people read. */
export function encodeToolResult(
  envelope: ToolEnvelope,
  outcome: ToolOutcome,
  timing: { readonly durationMs: number; readonly atMs: number },
): JsonObject {
  const common = {
    request_id: envelope.requestId,
    run_id: envelope.runId,
    tool: envelope.tool,
    tool_call_id: envelope.callId,
    ok: outcome.ok,
    duration_ms: timing.durationMs,
    finished_at: toIso(timing.atMs),
    ...(outcome.fromCache ? { from_cache: true } : {}),
  };
  if (!outcome.ok) {
    const { code, message, retryable, details } = outcome.error;
    return {
      ...common,
      error: {
        code: toWireCode(code),
        message,
        retryable,
        ...defined({ details }),
      },
      summary: `error: ${message.slice(0, 180)}`,
    };
  }
  const { artifact } = outcome;
  return {
    ...common,
    output: outcome.output,
    error: null,
    summary: outcome.summary,
    ...(artifact === undefined
      ? {}
      : {
          artifact: {
            id: artifact.id,
            path: artifact.path,
            bytes: artifact.bytes,
            sha256: artifact.sha256,
          },
        }),
  };
}
