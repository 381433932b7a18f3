import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { cutLine, cutText } from '../sessions/cut-text.ts';
import type { Execution } from './execution.ts';
import type { RemoteStep } from './model.ts';
import { REMOTE_ORIGIN } from './run-state.ts';

/** A log tells what went on elsewhere; whoever wants all of it looks there. */
const MAX_STEP_CHARS = 8_000;
const MAX_SUMMARY_CHARS = 180;

/** Puts on record what an agent did where it lives. The loop neither waits for these calls nor repeats them. */
export async function recordStep(
  execution: Execution,
  turn: number,
  step: RemoteStep,
): Promise<void> {
  const { run, agent } = execution;
  if (step.type === 'note') {
    const payload = { turn, kind: step.kind, text: cutText(step.text, MAX_STEP_CHARS) };
    execution.record({ type: 'agent.noted', actor: 'model', payload });
  } else {
    const callId = cutText(step.callId, MAX_SUMMARY_CHARS);
    const tool = cutText(step.tool, MAX_SUMMARY_CHARS);
    const common = {
      origin: REMOTE_ORIGIN,
      request_id: `${run.id}:${turn}:${callId}`,
      run_id: run.id,
      tool,
      tool_call_id: callId,
    };
    execution.record(
      step.type === 'remote_call'
        ? {
            type: 'tool.call',
            actor: 'model',
            payload: { ...common, agent_id: agent.id, input: toBounded(step.input) },
          }
        : { type: 'tool.result', payload: { ...common, ...encodeOutcome(step) } },
    );
  }
  await execution.journal.commit();
}

function encodeOutcome({ ok, output }: Extract<RemoteStep, { type: 'remote_result' }>): JsonObject {
  const summary = cutLine(
    typeof output === 'string' ? output : JSON.stringify(output),
    MAX_SUMMARY_CHARS,
  );
  if (ok) return { ok, output: toBounded(output), error: null, summary };
  const message = cutText(`the tool failed where the agent lives: ${summary}`, MAX_SUMMARY_CHARS);
  return { ok, error: { code: 'tool_failed', message, retryable: false }, summary: message };
}

/** As it is, or as much of its text as a log keeps. */
function toBounded(value: JsonValue): JsonObject {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.length > MAX_STEP_CHARS) return { truncated: cutText(text, MAX_STEP_CHARS) };
  return isJsonObject(value) ? value : { text: value };
}
