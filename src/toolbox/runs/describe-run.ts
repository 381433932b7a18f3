import { toIso } from '../../core/clock.ts';
import type { JsonObject } from '../../core/json.ts';
import { encodeForkPoint } from '../../core/runs/fork-point.ts';
import type { Run } from '../../core/runs/run.ts';

const MAX_MESSAGE_CHARS = 160;

/** One line of a list: what the run is about, not what it said. */
export function describeRun(run: Run): JsonObject {
  return {
    run_id: run.id,
    agent_id: run.agentId,
    status: run.status,
    source: run.source,
    message: clip(run.message),
    stop_reason: run.stopReason ?? null,
    created_at: toIso(run.createdAtMs),
    updated_at: toIso(run.updatedAtMs),
  };
}

/** All that the run's row says. Long texts go to an artifact as every long output does. */
export function describeWholeRun(run: Run): JsonObject {
  return {
    ...describeRun(run),
    message: run.message,
    session_id: run.sessionId ?? null,
    ...(run.forkedFrom && { forked_from: encodeForkPoint(run.forkedFrom) }),
    output: run.output ?? null,
    error: run.error === undefined ? null : { code: run.error.code, message: run.error.message },
    provider: run.provider ?? null,
    model: run.model ?? null,
    turns: run.totals.turns,
    tool_calls: run.totals.toolCalls,
    input_tokens: run.totals.inputTokens,
    output_tokens: run.totals.outputTokens,
    cost_usd: run.totals.costUsd,
    started_at: run.startedAtMs === undefined ? null : toIso(run.startedAtMs),
    ended_at: run.endedAtMs === undefined ? null : toIso(run.endedAtMs),
  };
}

function clip(message: string): string {
  const chars = [...message.slice(0, 2 * MAX_MESSAGE_CHARS)];
  const isWhole = chars.length <= MAX_MESSAGE_CHARS && message.length <= 2 * MAX_MESSAGE_CHARS;
  return isWhole ? message : `${chars.slice(0, MAX_MESSAGE_CHARS).join('')}…`;
}
