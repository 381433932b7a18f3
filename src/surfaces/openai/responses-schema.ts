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

export const responsesQuery = anyQuery;
export const responsesHeaders = completionHeaders;

const MAX_ITEMS = 10_000;

export const responsesBody = z
  .looseObject({
    model: modelName,
    input: z.union([z.string(), z.array(z.looseObject({})).min(1).max(MAX_ITEMS)]).meta({
      description: 'Text, or items: messages, function calls, their outputs, references to items.',
    }),
    instructions: z.string().nullish(),
    previous_response_id: z.string().min(1).nullish(),
    ...sharedSettings,
    max_output_tokens: tokenLimit,
    text: z.looseObject({ format: anyJson.nullish() }).nullish(),
  })
  .meta({ examples: [{ model: 'agent/pincer', input: 'Hello' }] });

export type ResponsesBody = z.output<typeof responsesBody>;

const outputText = z.object({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(z.never()),
  logprobs: z.array(z.never()),
});

const messageItem = z.object({
  id: z.string(),
  type: z.literal('message'),
  status: z.enum(['in_progress', 'completed', 'incomplete']),
  role: z.literal('assistant'),
  content: z.array(outputText),
});

const callItem = z.object({
  id: z.string(),
  type: z.literal('function_call'),
  status: z.enum(['in_progress', 'completed']),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
});

const responsesUsage = z.object({
  input_tokens: z.int(),
  input_tokens_details: z.object({ cached_tokens: z.int() }),
  output_tokens: z.int(),
  output_tokens_details: z.object({ reasoning_tokens: z.int() }),
  total_tokens: z.int(),
  cost_usd: costUsd,
});

export const response = z.object({
  id: z.string(),
  object: z.literal('response'),
  created_at: z.int(),
  status: z.enum(['in_progress', 'completed', 'incomplete', 'failed']),
  background: z.literal(false),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  incomplete_details: z.object({ reason: z.string() }).nullable(),
  instructions: z.string().nullable(),
  max_output_tokens: z.int().nullable(),
  model: z.string(),
  output: z.array(z.union([messageItem, callItem])),
  parallel_tool_calls: z.boolean(),
  previous_response_id: z.string().nullable(),
  store: z.literal(true),
  temperature: z.number().nullable(),
  text: z.looseObject({}),
  tool_choice: anyJson,
  tools: z.array(anyJson),
  top_p: z.number().nullable(),
  truncation: z.literal('disabled'),
  usage: responsesUsage.nullable(),
  metadata: z.looseObject({}),
});

export const responseEvent = z.looseObject({ type: z.string(), sequence_number: z.int() });

export type Response = z.output<typeof response>;
export type OutputItem = Response['output'][number];
