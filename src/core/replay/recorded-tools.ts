import * as z from 'zod';
import type { Effect } from '../effects/effect.ts';
import { RuntimeError } from '../errors.ts';
import type { Event } from '../events/event.ts';
import type { RequestId } from '../ids.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { isForeign } from '../loop/run-state.ts';
import type { SettleDeps } from '../loop/tool-turn-deps.ts';
import {
  encodeToolCall,
  encodeToolResult,
  failure,
  type ToolEnvelope,
  type ToolOutcome,
} from '../tools/envelope.ts';
import { defineTool, type Tool } from '../tools/tool.ts';
import type { FinishedCall, PreparedCall, ToolRunner } from '../tools/tool-runner.ts';
import { errorOf, numberOf, type Recording, textOf } from './recording.ts';
import { type Tape, throwIfFaulted } from './tape.ts';

/** Tools and the ledger of effects, answered from the events of their calls. Nothing is called. */
export function createRecordedTools(tape: Tape): Pick<SettleDeps, 'tools' | 'effects'> {
  const { recording } = tape;
  const callsById = indexCalls(recording);

  const tools: ToolRunner = {
    prepare({ runId, agentId, principal }, request) {
      const { callId, input, malformed } = request;
      const recorded = callsById.get(callId)?.payload;
      const tool = recorded && findTool(recorded);
      const envelope: ToolEnvelope = {
        requestId: (textOf(recorded?.['request_id']) || 'not on record') as RequestId,
        runId,
        agentId,
        callId,
        tool: textOf(recorded?.['tool']) || request.tool,
      };
      const timeoutMs = numberOf(recorded?.['timeout_ms']) ?? 0;
      const payload = encodeToolCall(envelope, {
        input,
        timeoutMs,
        atMs: timeOf(recorded?.['created_at']),
        traits: (recorded?.['traits'] ?? []) as string[],
        effect: tool?.effect,
        idempotencyKey: textOf(recorded?.['idempotency_key']) || undefined,
        malformed,
      });
      const rest = { callerKey: undefined, refusal: undefined };
      return { envelope, principal, tool, input, timeoutMs, payload, ...rest };
    },

    async execute(call) {
      const answer = findAnswer(tape, call);
      if (!answer) return conclude(call, failure(notOnRecord(call)));
      if (answer.type === 'policy.decision') {
        const message = textOf(answer.payload['message']);
        return conclude(call, failure(new RuntimeError('approval_required', message)));
      }
      return toFinished(answer);
    },

    async recall(call) {
      const answer = findAnswer(tape, call);
      if (!answer || errorOf(answer).code === 'outcome_unknown') return undefined;
      return toFinished(answer);
    },

    settle: (call, error) => conclude(call, failure(error)),
    conclude,
  };

  function conclude(call: PreparedCall, outcome: ToolOutcome): FinishedCall {
    const recorded = findResult(recording, call.envelope.requestId);
    const timing = { durationMs: 0, atMs: timeOf(recorded?.payload['finished_at']) };
    return { outcome, payload: encodeToolResult(call.envelope, outcome, timing) };
  }

  return {
    tools,
    effects: {
      /** What a result tells of the ledger: whether a call that somebody else left open had been sent. */
      async find(id) {
        const result = findResult(recording, id);
        // The runtime itself failed then, before the call was settled.
        if (!result) throwIfFaulted(tape);
        const isSent = result && tape.stretch.isRecovered && errorOf(result).code !== 'cancelled';
        return isSent ? toSentEffect(result, id) : undefined;
      },
    },
  };
}

function indexCalls({ events }: Recording): ReadonlyMap<string, Event> {
  const calls = events.filter(({ type, payload }) => type === 'tool.call' && !isForeign(payload));
  return new Map(calls.map((call) => [textOf(call.payload['tool_call_id']), call]));
}

/** Undefined when there was no such tool. */
function findTool(call: JsonObject): Tool | undefined {
  const effect = call['effect'];
  if (effect !== 'read' && effect !== 'write') return undefined;
  return defineTool({
    name: textOf(call['tool']),
    description: '',
    effect,
    input: z.looseObject({}),
    execute: () => {
      throw new RuntimeError('internal', 'a replay calls nothing');
    },
  });
}

/** What came of the call next: its result, or the question to a person. */
function findAnswer(tape: Tape, { envelope: { requestId } }: PreparedCall): Event | undefined {
  return tape
    .rest()
    .find(
      ({ type, payload }) =>
        payload['request_id'] === requestId &&
        (type === 'tool.result' || payload['decision'] === 'ask'),
    );
}

function findResult({ events }: Recording, requestId: RequestId): Event | undefined {
  return events.find(
    ({ type, payload }) => type === 'tool.result' && payload['request_id'] === requestId,
  );
}

function toFinished(result: Event): FinishedCall {
  const { payload } = result;
  const { error, output } = payload;
  if (!isJsonObject(error)) {
    const shown = isJsonObject(output) ? output : {};
    return { payload, outcome: { ok: true, output: shown, summary: textOf(payload['summary']) } };
  }
  const { code, message, retryable } = errorOf(result);
  const { details } = error;
  const fault = {
    // Of all the codes behind one on the wire the loop tells apart only what policy refused.
    code: code === 'policy.denied' ? ('policy_denied' as const) : ('tool_failed' as const),
    message,
    retryable,
    ...(isJsonObject(details) ? { details } : {}),
  };
  return { payload, outcome: { ok: false, error: fault } };
}

function toSentEffect({ runId, agentId, payload, atMs }: Event, id: RequestId): Effect {
  return {
    id,
    runId,
    agentId,
    tool: textOf(payload['tool']),
    callId: textOf(payload['tool_call_id']),
    key: undefined,
    inputDigest: '',
    status: 'sent',
    error: undefined,
    createdAtMs: atMs,
    updatedAtMs: atMs,
    resolution: undefined,
  };
}

function notOnRecord({ envelope }: PreparedCall): RuntimeError {
  return new RuntimeError('lost_lease', `no answer to ${envelope.requestId} is on record`);
}

function timeOf(value: JsonObject[string] | undefined): number {
  const time = Date.parse(textOf(value));
  return Number.isNaN(time) ? 0 : time;
}
