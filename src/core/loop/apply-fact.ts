import { addAttempt } from '../costs/spent.ts';
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { cutUnits } from '../sessions/cut-text.ts';
import { decodeClientTools } from '../threads/client-tool.ts';
import { reportsFailure } from '../tools/layers.ts';
import type { ToolTrait } from '../tools/tool.ts';
import { decodeTrace } from '../trace-context.ts';
import { addTokens } from './answers/spent-tokens.ts';
import { applyFrame, dropFrame, takeMessages } from './apply-frame.ts';
import { NO_CALLS, observeCall } from './loop-guard.ts';
import type { FinishReason, Message } from './model.ts';
import { decodePrompt, MAX_GIVEN_CHARS } from './prompt.ts';
import { applyRecalled } from './recalled.ts';
import { decodeCalls } from './record/encode-call.ts';
import { decodeHistory } from './record/history.ts';
import { observeFailure, observeSuccess, toAttempt } from './recovery.ts';
import { type Fact, isForeign, type PendingCall, type RunState } from './run-state.ts';

/** The newest of `toolsUsed` that explanations may name. */
const MAX_TOOLS_REMEMBERED = 8;

export function applyFact(state: RunState, fact: Fact): RunState {
  const { payload } = fact;
  if (isForeign(payload)) return state;
  switch (fact.type) {
    case 'run.created':
      return applyCreation(state, payload);
    case 'frame.accepted':
      return applyFrame(state, fact);
    case 'frame.ignored':
      return dropFrame(state, payload['frame_seq']);
    case 'model.requested':
      return applyRequest(state, payload);
    case 'model.completed':
      return applyCompletedTurn(state, fact);
    case 'model.failed':
      return spend(state, payload);
    case 'tool.call':
      return {
        ...state,
        pending: markCalled(state.pending, fact),
        exposure: expose(state.exposure, payload['traits']),
      };
    case 'tool.result':
      return applyToolResult(dropFrame(state, payload['frame_seq']), payload);
    case 'run.cancel_requested':
      return { ...state, cancelReason: text(payload['reason']) || 'cancel requested' };
    case 'policy.decision':
      return applyAnswer(state, fact);
    case 'run.recovered':
      return { ...state, fruitlessRecoveries: state.fruitlessRecoveries + 1 };
    case 'run.started':
    case 'model.delta':
    case 'agent.noted':
    case 'run.completed':
    case 'run.failed':
    case 'run.cancelled':
      return state;
  }
}

function applyCreation(state: RunState, payload: JsonObject): RunState {
  // A run of a thread begins without a message: its frames bring them.
  if (payload['thread_id'] !== undefined) {
    return { ...state, clientTools: decodeClientTools(payload['client_tools']) };
  }
  const goal = text(payload['message']);
  const model = text(payload['model']) || undefined;
  const prompt = decodePrompt(payload['prompt']);
  const given: readonly Message[] = prompt?.messages ?? [{ role: 'user', text: goal }];
  return {
    ...state,
    goal,
    model,
    prompt,
    clientTools: prompt?.clientTools ?? [],
    trace: decodeTrace(payload['trace']),
    ...(decodeHistory(payload['history']) ?? { messages: [...state.messages, ...given] }),
  };
}

function applyRequest(state: RunState, payload: JsonObject): RunState {
  const taken = takeMessages(state, payload['frames_through']);
  const { system, recalled, conditions, tool_names: toolNames } = payload;
  const requested = { ...taken, requestedTurn: count(payload['turn']) };
  const knowing = isJsonObject(recalled) ? applyRecalled(requested, recalled) : requested;
  return {
    ...knowing,
    ...(typeof system === 'string' ? { system } : {}),
    ...(typeof toolNames === 'string' ? { toolNames } : {}),
    ...(conditions === undefined ? {} : { conditions: canonicalJson(conditions) }),
  };
}

function applyCompletedTurn(state: RunState, { payload, redactions = [] }: Fact): RunState {
  const requests = decodeCalls(payload['tool_calls']);
  const answer = text(payload['text']);
  const spent = spend(state, payload);
  return {
    ...spent,
    fruitlessRecoveries: 0,
    lastFinish: text(payload['finish_reason']) as FinishReason,
    lastText: answer === '' ? state.lastText : answer,
    messages: [...state.messages, { role: 'assistant', text: answer, toolCalls: requests }],
    pending: requests.map((request, index) => ({
      request,
      payload: undefined,
      isRedacted: redactions.some((path) => path.startsWith(`payload.tool_calls[${index}].`)),
    })),
    totals: { ...spent.totals, turns: state.totals.turns + 1 },
  };
}

/** What one question to a model cost, whatever came of it. */
function spend(state: RunState, payload: JsonObject): RunState {
  const usage = isJsonObject(payload['usage']) ? payload['usage'] : {};
  const { input_tokens: input, output_tokens: output } = usage;
  const { cost_usd: cost } = payload;
  const { totals } = state;
  return {
    ...state,
    knownTokens: state.knownTokens + count(input) + count(output),
    knownCostUsd: state.knownCostUsd + count(cost),
    spent: addAttempt(state.spent, payload),
    totals: {
      ...totals,
      inputTokens: addTokens(totals.inputTokens, input),
      outputTokens: addTokens(totals.outputTokens, output),
      costUsd: typeof cost === 'number' && totals.costUsd !== null ? totals.costUsd + cost : null,
    },
  };
}

function markCalled(
  pending: readonly PendingCall[],
  { payload, redactions = [] }: Fact,
): PendingCall[] {
  const callId = text(payload['tool_call_id']);
  const isRedacted = redactions.some((path) => path.startsWith('payload.input'));
  const known = pending.some((call) => call.request.callId === callId);
  if (!known) {
    // A direct `/tool` call: no model turn announced it.
    const input = isJsonObject(payload['input']) ? payload['input'] : {};
    const key = text(payload['idempotency_key']);
    const request = {
      callId,
      tool: text(payload['tool']),
      input,
      ...(key === '' ? {} : { idempotencyKey: key }),
    };
    return [...pending, { request, payload, isRedacted }];
  }
  return pending.map((call) =>
    call.request.callId === callId
      ? { ...call, payload, isRedacted: call.isRedacted || isRedacted }
      : call,
  );
}

function applyToolResult(state: RunState, payload: JsonObject): RunState {
  const callId = text(payload['tool_call_id']);
  const tool = text(payload['tool']);
  const call = state.pending.find((one) => one.request.callId === callId);
  const input = call?.request.input ?? {};
  const error = isJsonObject(payload['error']) ? payload['error'] : undefined;
  const output = payload['output'] ?? {};
  const hasFailed = error !== undefined || reportsFailure(output);
  // What whoever gave the prompt sends, it sends for the model to read, all of it and as it is.
  const isGiven = state.prompt !== undefined && payload['frame_seq'] !== undefined;
  const plain = isGiven ? plainText(output) : undefined;
  // Canonical, so that the model reads the same text whether it was replayed or not.
  const shown = error === undefined ? (plain ?? canonicalJson(output)) : faultText(error);
  return {
    ...state,
    messages: [
      ...state.messages,
      {
        role: 'tool',
        callId,
        tool,
        ok: !hasFailed,
        text: bound(shown, isGiven ? MAX_GIVEN_CHARS : MAX_RESULT_CHARS),
      },
    ],
    pending: state.pending.filter((one) => one.request.callId !== callId),
    totals: { ...state.totals, toolCalls: state.totals.toolCalls + 1 },
    toolsUsed: [...state.toolsUsed, tool].slice(-MAX_TOOLS_REMEMBERED),
    recovery: hasFailed
      ? observeFailure(
          state.recovery,
          toAttempt({ tool, input, error: failureText(error, output), output: error ? '' : shown }),
        )
      : observeSuccess(state.recovery),
    loop: hasFailed ? NO_CALLS : observeCall(state.loop, { tool, input, output }),
  };
}

function applyAnswer(state: RunState, { payload, atMs = 0 }: Fact): RunState {
  if (payload['approval_id'] === undefined) return state;
  if (payload['decision'] === 'ask') return { ...state, askedAtMs: atMs };
  const waitedMs = state.waitedMs + Math.max(0, atMs - (state.askedAtMs ?? atMs));
  return { ...state, waitedMs, askedAtMs: undefined };
}

/** Counted from the call on: a call that was made may have brought its traits in, whatever its result says. */
function expose(known: readonly ToolTrait[], traits: JsonValue | undefined): readonly ToolTrait[] {
  if (!Array.isArray(traits) || traits.length === 0) return known;
  return [...new Set([...known, ...(traits as ToolTrait[])])];
}

/** What one tool result may add to the model's context. */
const MAX_RESULT_CHARS = 16_000;

function bound(shown: string, maxChars: number): string {
  if (shown.length <= maxChars) return shown;
  return `${cutUnits(shown, maxChars)}… (${shown.length - maxChars} more characters)`;
}

/** Of an output that is a text and nothing else. */
function plainText(output: JsonValue): string | undefined {
  if (!isJsonObject(output) || Object.keys(output).length !== 1) return undefined;
  const { content } = output;
  return typeof content === 'string' ? content : undefined;
}

function faultText(error: JsonObject): string {
  const details = error['details'] === undefined ? '' : ` ${JSON.stringify(error['details'])}`;
  return `error ${text(error['code'])}: ${text(error['message'])}${details}`;
}

function failureText(error: JsonObject | undefined, output: JsonValue): string {
  if (error !== undefined) return faultText(error);
  if (!isJsonObject(output)) return 'failed';
  return text(output['error']) || `exit code ${String(output['exit_code'])}`;
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function count(value: JsonValue | undefined): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}
