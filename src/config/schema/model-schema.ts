import { z } from 'zod';
import { parseHttpUrl } from './parse-http-url.ts';
import { HOUR_MS, whole } from './schema-bounds.ts';

/** Sections of the config about models: which, where they are reached, and what they cost. */
const MODEL_REFERENCE = /^[a-z][a-z0-9-]*\/\S+$/;

const modelReference = z
  .string()
  .max(256)
  .regex(MODEL_REFERENCE, 'must be provider/name, as in openai/gpt-4o-mini');
export const baseUrl = z
  .string()
  .max(2048)
  .refine(isBaseUrl, 'must be an http or https URL without user name, password, query or fragment');

export const model = z.strictObject({
  default: modelReference
    .nullable()
    .default(null)
    .describe(
      'Model to use, as provider/name. Null: the first provider whose key is present, then a local Ollama, then offline/rules.',
    ),
  max_output_tokens: whole(1, 1_000_000)
    .default(8192)
    .describe('Longest answer of one model turn.'),
  request_timeout_ms: whole(1000, HOUR_MS)
    .default(90_000)
    .describe(
      'Longest silence of a provider in a model turn: until its answer begins, and between two pieces of it.',
    ),
  max_retries: whole(0, 10)
    .default(3)
    .describe('Further attempts of a turn after 429, 5xx, a broken stream or a timeout.'),
  text_tool_call_models: z
    .array(modelReference)
    .max(100)
    .default([])
    .describe('Models without native tool calls: theirs are read from fenced json or tool blocks.'),
});

const urlOf = (name: string, whenUnset: string) =>
  baseUrl.optional().describe(`Base URL of ${name}. Unset: ${whenUnset}.`);

const keyFor = (name: string) =>
  z
    .string()
    .min(1)
    .max(4096)
    .regex(/^[\x21-\x7e]*$/, 'must be printable ASCII without spaces')
    .optional()
    .meta({
      description: `Key for ${name}. The environment variable is a better place: this file gets copied and backed up.`,
      // Forms ask for it and never show it.
      writeOnly: true,
    });

const provider = (name: string, whenUnset: string) =>
  z.strictObject({ base_url: urlOf(name, whenUnset), api_key: keyFor(name) }).prefault({});

export const providers = z.strictObject({
  openai: provider('OpenAI', 'https://api.openai.com/v1'),
  anthropic: provider('Anthropic', 'https://api.anthropic.com/v1'),
  openrouter: provider('OpenRouter', 'https://openrouter.ai/api/v1'),
  google: provider(
    'Google, which is used for embeddings',
    'https://generativelanguage.googleapis.com/v1beta',
  ),
  ollama: z.strictObject({ base_url: urlOf('Ollama', 'http://127.0.0.1:11434') }).prefault({}),
  openai_compatible: provider('an OpenAI-compatible server', 'that provider is not available'),
});

const usdPerMillion = z.number().min(0).max(1_000_000);

const price = z.strictObject({
  input_per_million: usdPerMillion.describe('US dollars per million input tokens.'),
  output_per_million: usdPerMillion.describe('US dollars per million output tokens.'),
  cached_input_per_million: usdPerMillion
    .optional()
    .describe('US dollars per million input tokens read from a cache. Unset: the input price.'),
});

export const prices = z
  .record(modelReference.meta({ title: 'provider/name' }), price)
  .default({})
  .describe(
    'Prices by provider/name, for costs and cost limits. A model without a price has no known cost.',
  );

function isBaseUrl(value: string): boolean {
  const url = parseHttpUrl(value);
  return url !== undefined && `${url.username}${url.password}${url.search}${url.hash}` === '';
}
