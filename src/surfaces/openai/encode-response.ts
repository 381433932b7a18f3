import type { AnswerEnd, AnswerUsage } from '../../core/completions/answer.ts';
import type { AnswerCall } from '../../core/completions/answer-calls.ts';
import { formatAnswerRef } from '../../core/completions/answer-ref.ts';
import type { Exchange } from '../../core/completions/follow-answer.ts';
import { encodeOpenAiError } from './errors.ts';
import { CALL_ITEM, MESSAGE_ITEM, RESPONSE } from './item-ids.ts';
import type { OutputItem, Response, ResponsesBody } from './responses-schema.ts';
import { toSeconds } from './to-seconds.ts';

export function encodeResponse(body: ResponsesBody, exchange: Exchange, end: AnswerEnd): Response {
  const { reason } = end;
  const isCut = reason === 'length' || reason === 'content_filter';
  return {
    ...beginResponse(body, exchange, end.beganAtMs),
    status: end.error ? 'failed' : isCut ? 'incomplete' : 'completed',
    error: end.error ? encodeFault(end.error) : null,
    incomplete_details: isCut
      ? { reason: reason === 'length' ? 'max_output_tokens' : reason }
      : null,
    output: encodeOutput(exchange, end, isCut),
    usage: encodeUsage(end.usage),
  };
}

/** As it is before anything was said. */
export function beginResponse(body: ResponsesBody, exchange: Exchange, atMs: number): Response {
  const { run, startSeq } = exchange;
  return {
    id: `${RESPONSE}${formatAnswerRef({ runId: run.id, startSeq })}`,
    object: 'response',
    created_at: toSeconds(atMs),
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    model: body.model,
    output: [],
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    store: true,
    temperature: body.temperature ?? null,
    text: { ...body.text, format: body.text?.format ?? { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_p: body.top_p ?? null,
    truncation: 'disabled',
    usage: null,
    metadata: body.metadata ?? {},
  };
}

export function encodeMessageItem(
  { run, startSeq }: Exchange,
  text: string | undefined,
  status: Extract<OutputItem, { type: 'message' }>['status'],
): OutputItem {
  return {
    id: toMessageId({ run, startSeq }),
    type: 'message',
    status,
    role: 'assistant',
    content: text === undefined ? [] : [encodeText(text)],
  };
}

export function toMessageId({ run, startSeq }: Pick<Exchange, 'run' | 'startSeq'>): string {
  return `${MESSAGE_ITEM}${formatAnswerRef({ runId: run.id, startSeq })}`;
}

export function encodeText(text: string) {
  return { type: 'output_text' as const, text, annotations: [], logprobs: [] };
}

/** `isWhole`: its arguments are told. */
export function encodeCallItem({ id, tool, input }: AnswerCall, isWhole: boolean): OutputItem {
  return {
    id: id.replace('call_', CALL_ITEM),
    type: 'function_call',
    status: isWhole ? 'completed' : 'in_progress',
    call_id: id,
    name: tool,
    arguments: isWhole ? JSON.stringify(input) : '',
  };
}

function encodeOutput(exchange: Exchange, end: AnswerEnd, isCut: boolean): OutputItem[] {
  const { text, calls, error } = end;
  const isSaid = text !== '' || (calls.length === 0 && !error);
  const status = isCut ? 'incomplete' : 'completed';
  return [
    ...(isSaid ? [encodeMessageItem(exchange, text, status)] : []),
    ...calls.map((call) => encodeCallItem(call, true)),
  ];
}

function encodeFault(error: NonNullable<AnswerEnd['error']>): NonNullable<Response['error']> {
  const { body } = encodeOpenAiError(error) as {
    body: { error: { code: string; message: string } };
  };
  return { code: body.error.code, message: body.error.message };
}

function encodeUsage(usage: AnswerUsage): Response['usage'] {
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: { cached_tokens: usage.cachedInputTokens },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: usage.inputTokens + usage.outputTokens,
    cost_usd: usage.costUsd,
  };
}
