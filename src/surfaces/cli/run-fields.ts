import { toIso } from '../../core/clock.ts';
import type { JsonObject } from '../../core/json.ts';
import { bundlePath } from '../../core/records/record-paths.ts';
import type { Run } from '../../core/runs/run.ts';
import type { RunTrace } from '../../core/runs/trace.ts';

/** A run in JSON documents: the names of `/v1`, so that scripts need to learn them once. */
export function encodeRun(run: Run): JsonObject {
  return {
    id: run.id,
    agent_id: run.agentId,
    ...(run.sessionId === undefined ? {} : { session_id: run.sessionId }),
    source: run.source,
    status: run.status,
    stop_reason: run.stopReason ?? null,
    message: run.message,
    output: run.output ?? '',
    ...(run.error === undefined
      ? {}
      : { run_error: { code: run.error.code, message: run.error.message } }),
    provider: run.provider ?? '',
    model: run.model ?? '',
    usage: encodeUsage(run),
    tool_calls: run.totals.toolCalls,
    duration_ms: durationOf(run),
    artifact_path: bundlePath(run.agentId, run.id),
    created_at: toIso(run.createdAtMs),
    updated_at: toIso(run.updatedAtMs),
    last_seq: run.lastSeq,
  };
}

export function encodeUsage({ totals }: Run): JsonObject {
  return {
    input_tokens: totals.inputTokens,
    output_tokens: totals.outputTokens,
    cost_usd: totals.costUsd,
  };
}

export function encodeTrace(trace: RunTrace): JsonObject {
  return {
    tool_execution_results: trace.toolResults.map((result) => ({
      tool: result.tool,
      tool_call_id: result.callId,
      arguments: result.arguments,
      summary: result.summary,
      output: result.output,
      error: result.error,
      duration_ms: result.durationMs,
    })),
    truncated: trace.truncated,
  };
}

/** From start to end; of a run under way, to its latest event. */
export function durationOf(run: Run): number {
  if (run.startedAtMs === undefined) return 0;
  return Math.max(0, (run.endedAtMs ?? run.updatedAtMs) - run.startedAtMs);
}
