import { toIso } from '../../core/clock.ts';
import type { Event } from '../../core/events/event.ts';
import type { Run } from '../../core/runs/run.ts';
import type { RunTrace, TracedToolResult } from '../../core/runs/trace.ts';
import type { RunEvent, RunSummary, RunTraceShape } from './run-shapes.ts';

/** Where a run's bundle lies, relative to the state root. */
export function artifactPath(run: Pick<Run, 'id' | 'agentId'>): string {
  return `.openclawssy/agents/${run.agentId}/runs/${run.id}`;
}

/** Fields of the contract keep its types while the run has nothing to put there yet: empty text, zero. */
export function encodeRunSummary(run: Run): RunSummary {
  return {
    id: run.id,
    agent_id: run.agentId,
    source: run.source,
    status: run.status,
    output: run.output ?? '',
    artifact_path: artifactPath(run),
    duration_ms: durationOf(run),
    tool_calls: run.totals.toolCalls,
    provider: run.provider ?? '',
    model: run.model ?? '',
    message: run.message,
    ...(run.sessionId === undefined ? {} : { session_id: run.sessionId }),
    ...(run.error === undefined
      ? {}
      : { error: { code: run.error.code, message: run.error.message } }),
    stop_reason: run.stopReason ?? null,
    usage: {
      input_tokens: run.totals.inputTokens,
      output_tokens: run.totals.outputTokens,
      cost_usd: run.totals.costUsd,
    },
    created_at: toIso(run.createdAtMs),
    updated_at: toIso(run.updatedAtMs),
    last_seq: run.lastSeq,
  };
}

/** Texts of one answer: 200 runs with the longest messages would be an answer of 50 MB. */
const MAX_ANSWER_CHARS = 4 * 1024 * 1024;

/** As many runs from the start as fit into one answer; at least one, so that paging always gets on. */
export function takeFittingRuns(runs: readonly Run[]): readonly Run[] {
  let chars = 0;
  const over = runs.findIndex((run, at) => {
    chars += run.message.length + (run.output?.length ?? 0);
    return at > 0 && chars > MAX_ANSWER_CHARS;
  });
  return over === -1 ? runs : runs.slice(0, over);
}

export function encodeTrace(trace: RunTrace): RunTraceShape {
  return {
    tool_execution_results: trace.toolResults.map(encodeToolResult),
    ...(trace.truncated ? { truncated: true } : {}),
  };
}

export function encodeEvent(event: Event): RunEvent {
  return {
    event_id: event.id,
    event_type: event.type,
    ts: toIso(event.atMs),
    run_id: event.runId,
    agent_id: event.agentId,
    seq: event.seq,
    actor: event.actor,
    payload: event.payload,
  };
}

function encodeToolResult(
  result: TracedToolResult,
): RunTraceShape['tool_execution_results'][number] {
  return {
    tool: result.tool,
    tool_call_id: result.callId,
    summary: result.summary,
    output: result.output,
    error: result.error,
    arguments: result.arguments,
    duration_ms: result.durationMs,
    ...(result.fromCache ? { from_cache: true } : {}),
  };
}

/** From start to end; of a run under way, to its latest event. */
function durationOf(run: Run): number {
  if (run.startedAtMs === undefined) return 0;
  return Math.max(0, (run.endedAtMs ?? run.updatedAtMs) - run.startedAtMs);
}
