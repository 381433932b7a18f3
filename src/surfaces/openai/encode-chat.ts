import type { AnswerEnd, AnswerPart, AnswerUsage } from '../../core/completions/answer.ts';
import type { AnswerCall } from '../../core/completions/answer-calls.ts';
import { formatAnswerRef } from '../../core/completions/answer-ref.ts';
import type { Exchange } from '../../core/completions/follow-answer.ts';
import type { SseFrame } from '../http/streams/sse-frame.ts';
import type { ChatBody, ChatCompletion, ChatToolCall, ChatUsage } from './chat-schema.ts';
import { encodeOpenAiError } from './errors.ts';
import { toSeconds } from './to-seconds.ts';

type FinishReason = ChatCompletion['choices'][number]['finish_reason'];

export function encodeChat(body: ChatBody, exchange: Exchange, end: AnswerEnd): ChatCompletion {
  const { text, calls } = end;
  const message = {
    role: 'assistant' as const,
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(encodeCall) }),
  };
  return {
    id: toChatId(exchange),
    object: 'chat.completion',
    created: toSeconds(end.beganAtMs),
    model: body.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: toFinish(end) }],
    usage: encodeUsage(end.usage),
  };
}

/** Chunks for the parts of one answer, in order; what the last one is remembered for is nothing but the time. */
export function createChatEncoder(
  body: ChatBody,
  exchange: Exchange,
): (part: AnswerPart) => SseFrame[] {
  const id = toChatId(exchange);
  const countsUsage = body.stream_options?.include_usage === true;
  let created = 0;
  let calls = 0;

  function toFrame(choices: readonly object[], usage: ChatUsage | null = null): SseFrame {
    const object = 'chat.completion.chunk';
    const counted = countsUsage ? { usage } : {};
    return {
      data: JSON.stringify({ id, object, created, model: body.model, choices, ...counted }),
    };
  }

  const toChunk = (delta: object, reason: FinishReason | null = null) =>
    toFrame([{ index: 0, delta, logprobs: null, finish_reason: reason }]);

  return (part) => {
    switch (part.type) {
      case 'begin':
        created = toSeconds(part.atMs);
        return [toChunk({ role: 'assistant', content: '', refusal: null })];
      case 'text':
        return [toChunk({ content: part.delta })];
      case 'call':
        calls += 1;
        return [toChunk({ tool_calls: [{ index: calls - 1, ...encodeCall(part.call) }] })];
      case 'end': {
        const { end } = part;
        if (end.error) return [{ data: JSON.stringify(encodeOpenAiError(end.error).body) }];
        const usage = countsUsage ? [toFrame([], encodeUsage(end.usage))] : [];
        return [toChunk({}, toFinish(end)), ...usage, DONE];
      }
    }
  };
}

/** Nothing follows. */
export const DONE: SseFrame = { data: '[DONE]' };

function toChatId({ run, startSeq }: Exchange): string {
  return `chatcmpl-${formatAnswerRef({ runId: run.id, startSeq })}`;
}

function encodeCall({ id, tool, input }: AnswerCall): ChatToolCall {
  return { id, type: 'function', function: { name: tool, arguments: JSON.stringify(input) } };
}

/** A failed answer leaves as an error. */
function toFinish({ reason }: AnswerEnd): FinishReason {
  return reason === 'failed' ? 'stop' : reason;
}

function encodeUsage(usage: AnswerUsage): ChatUsage {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: { cached_tokens: usage.cachedInputTokens },
    cost_usd: usage.costUsd,
  };
}
