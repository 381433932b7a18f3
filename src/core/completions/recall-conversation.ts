import type { EventLog } from '../events/event-log.ts';
import type { RunId } from '../ids.ts';
import { applyFact } from '../loop/apply-fact.ts';
import type { Message } from '../loop/model.ts';
import { INITIAL_STATE, type RunState } from '../loop/run-state.ts';
import { OPERATOR } from '../principal.ts';
import type { Run } from '../runs/run.ts';
import type { RunStore } from '../runs/run-store.ts';
import { type AnswerEnd, createAnswerFold } from './answer.ts';
import { type AnswerRef, formatCallId } from './answer-ref.ts';
import { COMPLETION_SOURCE } from './completions.ts';

export interface RecallDeps {
  readonly runs: Pick<RunStore, 'find'>;
  readonly events: EventLog;
}

/** A conversation up to one of its answers. */
export interface Conversation {
  readonly system: readonly string[];
  readonly messages: readonly Message[];
  /** Undefined while the answer is not whole. */
  readonly end: AnswerEnd | undefined;
}

const PAGE_SIZE = 500;

/** Undefined when there is no such answer, or its events are no longer kept. */
export async function recallConversation(
  deps: RecallDeps,
  ref: AnswerRef,
): Promise<Conversation | undefined> {
  const run = await findCompletion(deps, ref.runId);
  if (!run || ref.startSeq > run.lastSeq || (await deps.events.floor(run.id)) > 0) return undefined;
  const fold = createAnswerFold({ seenThrough: 0, heldThrough: Number.POSITIVE_INFINITY });
  const callIds = new Map<string, string>();
  let state: RunState = INITIAL_STATE;
  for (let after = 0; ; ) {
    const page = await deps.events.read(run.id, { after, limit: PAGE_SIZE });
    for (const event of page) {
      state = applyFact(state, event);
      const { runId, seq, payload } = event;
      if (event.type === 'tool.call' && payload['executed_by'] === 'client') {
        callIds.set(String(payload['tool_call_id']), formatCallId({ runId, seq }));
      }
      const last = seq < ref.startSeq ? undefined : fold.read(event).at(-1);
      if (last?.type === 'end') return toConversation(state, callIds, last.end);
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE_SIZE) return toConversation(state, callIds, undefined);
    after = last.seq;
  }
}

/** A run that was made for a completion; what others have made is not told of here. */
export async function findCompletion(
  { runs }: Pick<RecallDeps, 'runs'>,
  runId: RunId,
): Promise<Run | undefined> {
  const run = await runs.find(runId);
  return run?.source === COMPLETION_SOURCE && run.owner === OPERATOR ? run : undefined;
}

/** With the ids that the caller knows its calls by. */
function toConversation(
  { prompt, messages }: RunState,
  callIds: ReadonlyMap<string, string>,
  end: AnswerEnd | undefined,
): Conversation {
  const toKnown = (callId: string) => callIds.get(callId) ?? callId;
  return {
    system: prompt?.system ?? [],
    messages: messages.map((message): Message => {
      if (message.role === 'user') return message;
      if (message.role === 'tool') return { ...message, callId: toKnown(message.callId) };
      const toolCalls = message.toolCalls.map((call) => ({
        ...call,
        callId: toKnown(call.callId),
      }));
      return { ...message, toolCalls };
    }),
    end,
  };
}
