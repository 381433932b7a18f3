import type { NewsEvent } from '../events/event.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { decodeCalls } from '../loop/record/encode-call.ts';
import { formatCallId } from './answer-ref.ts';

/** A call that the caller carries out. */
export interface AnswerCall {
  readonly id: string;
  /** Of its event. */
  readonly seq: number;
  readonly tool: string;
  readonly input: JsonObject;
}

/** The calls of an answer: those that the caller is asked for, and whether it waits for nothing else. */
export interface AnswerCalls {
  readonly all: readonly AnswerCall[];
  /** A turn is over, and these are what it asks for. */
  ask(completed: NewsEvent): void;
  /** Undefined for a call of the agent's own. */
  announce(call: NewsEvent): AnswerCall | undefined;
  settle(result: NewsEvent): void;
  /** Only the caller can go on. */
  readonly areCallers: boolean;
}

export function createAnswerCalls(): AnswerCalls {
  const all: AnswerCall[] = [];
  /** Of the newest turn, without a result. */
  const open = new Set<string>();
  const announced = new Set<string>();
  return {
    all,

    ask({ payload }) {
      for (const { callId } of decodeCalls(payload['tool_calls'])) open.add(callId);
    },

    announce({ runId, seq, payload }) {
      const callId = idOf(payload);
      if (payload['executed_by'] !== 'client' || !open.has(callId)) return undefined;
      announced.add(callId);
      const input = isJsonObject(payload['input']) ? payload['input'] : {};
      const tool = String(payload['tool']);
      const call = { id: formatCallId({ runId, seq }), seq, tool, input };
      all.push(call);
      return call;
    },

    settle({ payload }) {
      open.delete(idOf(payload));
    },

    get areCallers() {
      return open.size > 0 && [...open].every((callId) => announced.has(callId));
    },
  };
}

function idOf({ tool_call_id: callId }: JsonObject): string {
  return String(callId);
}
