import type { Approval, ApprovalPage } from '../../core/approvals/approval.ts';
import type { StandingAnswers } from '../../core/approvals/standing-answers.ts';
import { toIso } from '../../core/clock.ts';
import type { Effect, EffectPage } from '../../core/effects/effect.ts';
import type { JsonValue } from '../../core/json.ts';
import { requiredMode } from '../../core/policy/judge-mode.ts';
import { inputSchemaOf } from '../../core/tools/registry.ts';
import type { KeyPage, KeyRecord, ToolAdmin, ToolState } from '../../core/tools/tool-admin.ts';
import type { AgentCapabilities } from '../../core/tools/tool-grants.ts';
import type {
  ApprovalListShape,
  ApprovalShape,
  CapabilityListShape,
  CircuitShape,
  EffectListShape,
  EffectShape,
  IdempotencyKeyListShape,
  ReliabilityReportShape,
  ToolDetailShape,
  ToolListShape,
} from './admin-shapes.ts';
import { encodeCursor } from './cursor.ts';

export function encodeEffect(effect: Effect): EffectShape {
  const { error, resolution } = effect;
  return {
    id: effect.id,
    run_id: effect.runId,
    agent_id: effect.agentId,
    tool: effect.tool,
    tool_call_id: effect.callId,
    idempotency_key: effect.key ?? null,
    input_digest: effect.inputDigest,
    status: effect.status,
    error: error === undefined ? null : { code: error.code, message: error.message },
    created_at: toIso(effect.createdAtMs),
    updated_at: toIso(effect.updatedAtMs),
    resolution:
      resolution === undefined
        ? null
        : {
            status: resolution.status,
            by: resolution.by,
            note: resolution.note,
            at: toIso(resolution.atMs),
          },
  };
}

export function encodeEffectPage({ effects, next }: EffectPage): EffectListShape {
  return { effects: effects.map(encodeEffect), next_cursor: toCursor(next) };
}

type DescribesStanding = Pick<StandingAnswers, 'describe'>;

export function encodeApproval(approval: Approval, standing: DescribesStanding): ApprovalShape {
  const { decidedAtMs } = approval;
  return {
    id: approval.id,
    run_id: approval.runId,
    agent_id: approval.agentId,
    request_id: approval.requestId,
    tool: approval.tool,
    tool_call_id: approval.callId,
    arguments: parseArguments(approval.input),
    input_digest: approval.inputDigest,
    reason: approval.reason,
    always: standing.describe(approval) ?? null,
    status: approval.status,
    created_at: toIso(approval.createdAtMs),
    expires_at: toIso(approval.expiresAtMs),
    decided_by: approval.decidedBy ?? null,
    decided_at: decidedAtMs === undefined ? null : toIso(decidedAtMs),
    note: approval.note ?? null,
  };
}

export function encodeApprovalPage(
  { approvals, next }: ApprovalPage,
  standing: DescribesStanding,
): ApprovalListShape {
  const encoded = approvals.map((approval) => encodeApproval(approval, standing));
  return { approvals: encoded, next_cursor: toCursor(next) };
}

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

export function encodeTool(state: ToolState): ToolDetailShape {
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
    input_schema: inputSchemaOf(tool) as ToolDetailShape['input_schema'],
  };
}

export function encodeKeyPage({ tool, records, next }: KeyPage): IdempotencyKeyListShape {
  return { tool: tool.name, keys: records.map(encodeKey), next_cursor: toCursor(next) };
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

export function encodeCapabilities(capabilities: AgentCapabilities): CapabilityListShape {
  return {
    agent_id: capabilities.agentId,
    granted: [...capabilities.granted],
    changes: capabilities.changes.map(({ tool, effect, by, atMs }) => ({
      tool,
      effect,
      by,
      at: toIso(atMs),
    })),
  };
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

function toCursor(place: string | undefined): string | null {
  return place === undefined ? null : encodeCursor(place);
}

/** Stored as text; what another version wrote in another way is shown as it is. */
function parseArguments(input: string): ApprovalShape['arguments'] {
  try {
    return JSON.parse(input) as Exclude<JsonValue, undefined> as ApprovalShape['arguments'];
  } catch {
    return input;
  }
}
