import { RuntimeError } from '../errors.ts';
import { isJsonObject } from '../json.ts';
import type { AnswerRef, CallRef } from './answer-ref.ts';
import { formatCallId } from './answer-ref.ts';
import type { CompletionRequest } from './completions.ts';
import type { GivenMessage, KnownMessage } from './given-message.ts';
import { type Conversation, type RecallDeps, recallConversation } from './recall-conversation.ts';

export interface KnownConversation {
  /** What the conversation before told its model as the system. */
  readonly system: readonly string[];
  readonly messages: readonly KnownMessage[];
}

/** The conversation that a request goes on from, and what it refers to, in full. Throws `invalid_input`. */
export async function lookUpMessages(
  deps: RecallDeps,
  { previous, messages }: Pick<CompletionRequest, 'previous' | 'messages'>,
): Promise<KnownConversation> {
  const before = previous && (await recallPrevious(deps, previous));
  const given: KnownMessage[] = [];
  // One after the other: each may read a whole log.
  for (const one of messages) given.push(await lookUp(deps, one));
  const known = (before?.messages ?? []).map((content) => ({ field: PREVIOUS, content }));
  return { system: before?.system ?? [], messages: [...known, ...given] };
}

const PREVIOUS = 'previous_response_id';

async function recallPrevious(deps: RecallDeps, ref: AnswerRef): Promise<Conversation> {
  const conversation = await recallConversation(deps, ref);
  if (!conversation) {
    throw new RuntimeError('not_found', 'there is no such previous response', {
      details: { thing: 'previous_response', field: PREVIOUS },
    });
  }
  if (conversation.end) return conversation;
  throw new RuntimeError('conflict', 'the previous response is still being made', {
    details: { field: PREVIOUS },
  });
}

async function lookUp(deps: RecallDeps, { field, content }: GivenMessage): Promise<KnownMessage> {
  switch (content.role) {
    case 'answer': {
      const answer = await recallConversation(deps, content.ref);
      if (!answer?.end) throw unknownItem(field);
      return { field, content: { role: 'assistant', text: answer.end.text, toolCalls: [] } };
    }
    case 'call':
      return lookUpCall(deps, field, content.ref);
    default:
      return { field, content };
  }
}

async function lookUpCall(
  { events }: RecallDeps,
  field: string,
  ref: CallRef,
): Promise<KnownMessage> {
  const [event] = await events.read(ref.runId, { after: ref.seq - 1, limit: 1 }).catch(() => []);
  const { executed_by: by, tool, input } = event?.payload ?? {};
  if (event?.type !== 'tool.call' || by !== 'client') throw unknownItem(field);
  const callId = formatCallId(ref);
  const call = { callId, tool: String(tool), input: isJsonObject(input) ? input : {} };
  return { field, content: { role: 'assistant', text: '', toolCalls: [call] } };
}

function unknownItem(field: string): RuntimeError {
  return new RuntimeError('invalid_input', `${field} refers to an item that does not exist`, {
    details: { field },
  });
}
