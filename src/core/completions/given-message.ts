import { RuntimeError } from '../errors.ts';
import type { Message, ToolRequest } from '../loop/model.ts';
import type { AnswerRef, CallRef } from './answer-ref.ts';

/** A message as a caller gives it, and where, so that it can be told what is wrong with it. */
export interface GivenMessage {
  readonly field: string;
  readonly content: GivenContent;
}

export type GivenContent =
  | Exclude<Message, { readonly role: 'tool' }>
  /** A result says which call it answers; the call says of which tool. */
  | { readonly role: 'tool'; readonly callId: string; readonly text: string }
  /** What an answer of ours said. */
  | { readonly role: 'answer'; readonly ref: AnswerRef }
  /** A call that an answer of ours asked for. */
  | { readonly role: 'call'; readonly ref: CallRef };

/** What is known of it now: nothing is left to look up. */
export interface KnownMessage {
  readonly field: string;
  readonly content: Exclude<GivenContent, { readonly role: 'answer' | 'call' }>;
}

/**
 * The conversation in the order that models accept: the results of all calls of a message follow it, before anything
 * else is said. Throws `invalid_input` with the field.
 */
export function orderMessages(given: readonly KnownMessage[]): Message[] {
  const messages: Message[] = [];
  const open = new Map<string, ToolRequest>();
  for (const { field, content } of joinCalls(given)) {
    if (content.role === 'tool') {
      const { callId, text } = content;
      const call = open.get(callId);
      if (!call) throw misplaced(field, `answers no tool call of the message before it: ${callId}`);
      open.delete(callId);
      messages.push({ role: 'tool', callId, tool: call.tool, ok: true, text });
      continue;
    }
    assertAnswered(open, field);
    messages.push(content);
    if (content.role !== 'assistant') continue;
    for (const call of content.toolCalls) {
      if (open.has(call.callId)) throw misplaced(field, `has two tool calls ${call.callId}`);
      open.set(call.callId, call);
    }
  }
  assertAnswered(open, given.at(-1)?.field ?? '');
  return messages;
}

function assertAnswered(open: ReadonlyMap<string, ToolRequest>, field: string): void {
  const [missing] = open.keys();
  if (missing === undefined) return;
  throw misplaced(field, `comes without a tool message that answers the tool call ${missing}`);
}

/** Where text and calls are items of their own, those of one side that follow each other are one message. */
function joinCalls(given: readonly KnownMessage[]): KnownMessage[] {
  const joined: KnownMessage[] = [];
  for (const one of given) {
    const last = joined.at(-1);
    const { content } = one;
    const isMore =
      content.role === 'assistant' && content.text === '' && content.toolCalls.length > 0;
    if (last?.content.role !== 'assistant' || content.role !== 'assistant' || !isMore) {
      joined.push(one);
      continue;
    }
    const toolCalls = [...last.content.toolCalls, ...content.toolCalls];
    joined[joined.length - 1] = { ...last, content: { ...last.content, toolCalls } };
  }
  return joined;
}

function misplaced(field: string, problem: string): RuntimeError {
  return new RuntimeError('invalid_input', `${field} ${problem}`, { details: { field } });
}
