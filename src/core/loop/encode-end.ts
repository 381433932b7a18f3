import type { JsonObject } from '../json.ts';
import type { RunEnd } from '../runs/run.ts';

/** The payload of the terminal event. */
export function encodeEnd(runEnd: RunEnd, extra: JsonObject = {}): JsonObject {
  const { totals } = runEnd;
  return {
    status: runEnd.status,
    stop_reason: runEnd.stopReason,
    output: runEnd.output,
    ...(runEnd.error === undefined
      ? {}
      : { error: { code: runEnd.error.code, message: runEnd.error.message } }),
    usage: {
      turns: totals.turns,
      tool_calls: totals.toolCalls,
      input_tokens: totals.inputTokens,
      output_tokens: totals.outputTokens,
      cost_usd: totals.costUsd,
    },
    ...extra,
  };
}
