import { toIso } from '../../core/clock.ts';
import { requiredMode } from '../../core/policy/judge-mode.ts';
import type { KeyPage, KeyRecord, ToolAdmin, ToolState } from '../../core/tools/tool-admin.ts';
import { decodeCursor, encodeNext } from '../cursor.ts';
import type {
  CircuitShape,
  IdempotencyKeyListShape,
  KeyQuery,
  ReliabilityReportShape,
  ToolDetailShape,
  ToolListShape,
} from './tool-shapes.ts';

export function encodeCircuit({ tool, circuit }: ToolState): CircuitShape {
  return {
    tool: tool.name,
    status: circuit.status,
    failures: circuit.failures,
    measured: circuit.measured,
    failed: circuit.failed,
    retry_in_ms: circuit.retryInMs ?? null,
  };
}

export function encodeToolList(states: readonly ToolState[]): ToolListShape {
  return { tools: states.map(encodeToolSummary) };
}

/** `inputSchema`: from whoever has loaded what makes one. */
export function encodeTool(
  state: ToolState,
  inputSchema: ToolDetailShape['input_schema'],
): ToolDetailShape {
  const { tool } = state;
  return {
    ...encodeToolSummary(state),
    description: tool.description,
    aliases: [...tool.aliases],
    dedupe: tool.dedupe ?? false,
    sends_key: tool.sendsKey ?? false,
    traits: [...tool.traits],
    required_mode: requiredMode(tool),
    limits: { timeout_ms: tool.limits.timeoutMs, max_output_bytes: tool.limits.maxOutputBytes },
    reliability: encodeReliability(state),
    input_schema: inputSchema,
  };
}

export function encodeKeyPage({ tool, records, next }: KeyPage): IdempotencyKeyListShape {
  return { tool: tool.name, keys: records.map(encodeKey), next_cursor: encodeNext(next) };
}

export function encodeReport(report: ReturnType<ToolAdmin['report']>): ReliabilityReportShape {
  return {
    mode: report.mode,
    since: report.sinceMs === undefined ? null : toIso(report.sinceMs),
    tools: report.tools.map(({ toolId, counts, lastAtMs }) => ({
      tool: toolId,
      total: Object.values(counts).reduce((sum, one) => sum + one, 0),
      decisions: {
        would_refuse_input: counts.would_refuse_input,
        would_replay: counts.would_replay,
        would_wait: counts.would_wait,
        would_conflict: counts.would_conflict,
        would_cut_off: counts.would_cut_off,
        would_retry: counts.would_retry,
        would_time_out: counts.would_time_out,
      },
      last_at: toIso(lastAtMs),
    })),
  };
}

export function decodeKeyQuery({ limit, cursor }: KeyQuery) {
  const isKey = (place: string) => place.startsWith('idemp:');
  return { limit, ...(cursor === undefined ? {} : { after: decodeCursor(cursor, isKey) }) };
}

function encodeToolSummary(state: ToolState): ToolListShape['tools'][number] {
  const { tool, off } = state;
  return {
    name: tool.name,
    effect: tool.effect,
    idempotent: tool.idempotent,
    guarded: state.isGuarded,
    off: off === undefined ? null : { reason: off.reason, fix: off.fix },
    circuit_breaker: encodeCircuit(state),
    source: tool.source,
  };
}

function encodeReliability({ mode, settings }: ToolState): ToolDetailShape['reliability'] {
  const { breaker, retry, idempotency } = settings;
  return {
    mode,
    breaker: {
      failure_threshold: breaker.failureThreshold,
      failure_rate: breaker.failureRate,
      window_size: breaker.windowSize,
      reset_timeout_ms: breaker.resetTimeoutMs,
      half_open_concurrency: breaker.halfOpenConcurrency,
      successes_to_close: breaker.successesToClose,
      trial_lease_ms: breaker.trialLeaseMs,
    },
    retry: {
      max_retries: retry.maxRetries,
      initial_delay_ms: retry.initialDelayMs,
      max_delay_ms: retry.maxDelayMs,
      deadline_ms: retry.deadlineMs,
    },
    idempotency: {
      success_ttl_ms: idempotency.successTtlMs,
      failure_ttl_ms: idempotency.failureTtlMs,
      lease_ms: idempotency.leaseMs,
      duplicates: idempotency.duplicates,
      max_wait_ms: idempotency.maxWaitMs,
      max_result_bytes: idempotency.maxResultBytes,
      key_window_ms: idempotency.keyWindowMs,
    },
  };
}

function encodeKey(record: KeyRecord): IdempotencyKeyListShape['keys'][number] {
  return {
    key: record.key,
    state: record.state,
    payload_digest: record.digest,
    has_result: record.hasResult,
    not_kept: record.notKept ?? null,
    error_code: record.errorCode ?? null,
    created_at: toIso(record.createdAtMs),
    updated_at: toIso(record.updatedAtMs),
    lease_until: record.state === 'PENDING' ? toIso(record.leaseUntilMs) : null,
    expires_at: toIso(record.expiresAtMs),
  };
}
