import { z } from 'zod';
import { anyJson } from '../../operations/fields.ts';
import {
  anyQuery,
  completionHeaders,
  costUsd,
  modelName,
  sharedSettings,
  tokenLimit,
} from './schema.ts';

export const chatQuery = anyQuery;
export const chatHeaders = completionHeaders;

const MAX_MESSAGES = 10_000;

const chatMessage = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: anyJson.nullish().meta({ description: 'Text, or parts that are text.' }),
});

export const chatBody = z
  .looseObject({
    model: modelName,
    messages: z.array(chatMessage).min(1).max(MAX_MESSAGES),
    ...sharedSettings,
    stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
    max_tokens: tokenLimit,
    max_completion_tokens: tokenLimit,
    presence_penalty: z.number().min(-2).max(2).nullish(),
    frequency_penalty: z.number().min(-2).max(2).nullish(),
    seed: z.int().nullish(),
    stop: z.union([z.string(), z.array(z.string())]).nullish(),
    response_format: anyJson.nullish(),
  })
  .meta({
    examples: [{ model: 'agent/pincer', messages: [{ role: 'user', content: 'Hello' }] }],
  });

export type ChatBody = z.output<typeof chatBody>;

const chatUsage = z.object({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
  prompt_tokens_details: z.object({ cached_tokens: z.int() }),
  cost_usd: costUsd,
});

const chatToolCall = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

export type ChatToolCall = z.output<typeof chatToolCall>;

const finishReason = z.enum(['stop', 'length', 'content_filter', 'tool_calls']);

export const chatCompletion = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.int(),
      message: z.object({
        role: z.literal('assistant'),
        content: z.string().nullable(),
        refusal: z.null(),
        tool_calls: z.array(chatToolCall).optional(),
      }),
      logprobs: z.null(),
      finish_reason: finishReason,
    }),
  ),
  usage: chatUsage,
});

export const chatChunk = z.object({
  id: z.string(),
  object: z.literal('chat.completion.chunk'),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.int(),
      delta: z.looseObject({}),
      logprobs: z.null(),
      finish_reason: finishReason.nullable(),
    }),
  ),
  usage: chatUsage.nullish(),
});

export type ChatCompletion = z.output<typeof chatCompletion>;
export type ChatUsage = z.output<typeof chatUsage>;
