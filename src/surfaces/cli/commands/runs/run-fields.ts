import { defined } from '../../../../core/defined.ts';
import type { JsonObject } from '../../../../core/json.ts';
import type { RunSummary, RunTraceShape } from '../../../../operations/runs/run-shapes.ts';

/** A run in JSON documents: as `/v1` has it, but for `error`, which is the envelope's own. */
export function toRunFields(run: RunSummary & { readonly trace?: RunTraceShape }): JsonObject {
  const { error, session_id, project_id, forked_from, trace: _, ...fields } = run;
  return { ...fields, ...defined({ session_id, project_id, forked_from, run_error: error }) };
}

export function toTraceFields({ tool_execution_results: results, truncated }: RunTraceShape) {
  return {
    tool_execution_results: results.map(({ from_cache: _, ...result }) => result),
    truncated: truncated ?? false,
  };
}

/** What came of a run, in JSON documents of commands that waited for it. */
export function toAnswerFields(run: RunSummary) {
  return {
    output: run.output,
    usage: run.usage,
    tool_calls: run.tool_calls,
    provider: run.provider,
    model: run.model,
    duration_ms: run.duration_ms,
  };
}
