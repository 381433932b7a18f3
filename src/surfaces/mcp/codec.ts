import { toIso } from '../../core/clock.ts';
import type { JsonObject } from '../../core/json.ts';
import { encodeForkPoint } from '../../core/runs/fork-point.ts';
import type { Run } from '../../core/runs/run.ts';
import { isTerminal } from '../../core/runs/run.ts';
import type { RunPage } from '../../core/runs/run-store.ts';
import type { RunTrace } from '../../core/runs/trace.ts';

export function encodeRun(run: Run): JsonObject {
  return {
    id: run.id,
    agent_id: run.agentId,
    source: run.source,
    status: run.status,
    ended: isTerminal(run.status),
    ...(run.forkedFrom && { forked_from: encodeForkPoint(run.forkedFrom) }),
    message: run.message,
    output: run.output ?? '',
    ...(run.error === undefined
      ? {}
      : { error: { code: run.error.code, message: run.error.message } }),
    stop_reason: run.stopReason ?? null,
    tool_calls: run.totals.toolCalls,
    created_at: toIso(run.createdAtMs),
    updated_at: toIso(run.updatedAtMs),
    last_seq: run.lastSeq,
  };
}

export function encodeRunWithTrace(run: Run, trace: RunTrace): JsonObject {
  return {
    ...encodeRun(run),
    tool_results: trace.toolResults.map((result) => ({
      tool: result.tool,
      tool_call_id: result.callId,
      arguments: result.arguments,
      summary: result.summary,
      output: result.output,
      error: result.error,
      duration_ms: result.durationMs,
    })),
    tool_results_truncated: trace.truncated,
  };
}

export function encodeRunPage(page: RunPage): JsonObject {
  return { runs: page.runs.map(encodeRun), next: page.next ?? null };
}
