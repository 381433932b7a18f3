import { onTestFinished } from 'vitest';
import { RuntimeError } from '../../src/core/errors.ts';
import type { Model, ModelPart, ModelRequest } from '../../src/core/loop/model.ts';
import type { ModelsConfig } from '../../src/providers/models-config.ts';
import { createModels } from '../../src/providers/open-models.ts';
import {
  chatDelta,
  chatUsage,
  openProviderServer,
  type ProviderServer,
  type Respond,
  toChatStream,
  toMessageStream,
} from './provider-server.ts';

export const KEY = 'sk-test-0123456789abcdef';
export const SCHEMA = {
  type: 'object',
  properties: { path: { type: 'string' } },
  required: ['path'],
};
export const ASK: ModelRequest = {
  system: 'Be brief.',
  messages: [{ role: 'user', text: 'read a.txt' }],
  tools: [{ name: 'fs.read', description: 'Reads a file', inputSchema: SCHEMA }],
};

export const CHAT_TEXT = toChatStream([
  chatDelta({ role: 'assistant', content: '' }),
  chatDelta({ content: 'Grüße ' }),
  chatDelta({ content: '😀!' }),
  chatDelta({}, 'stop'),
  chatUsage(11, 5, 3),
]);

const CHAT_CALLS = toChatStream([
  chatDelta({ content: 'Looking.' }),
  chatDelta({
    tool_calls: [
      { index: 0, id: 'c1', type: 'function', function: { name: 'fs__read', arguments: '' } },
    ],
  }),
  chatDelta({ tool_calls: [{ index: 0, function: { arguments: '{"path":' } }] }),
  chatDelta({
    tool_calls: [
      {
        index: 1,
        id: 'c2',
        type: 'function',
        function: { name: 'fs__read', arguments: '{"path":"b"}' },
      },
    ],
  }),
  chatDelta({ tool_calls: [{ index: 0, function: { arguments: '"a é"}' } }] }),
  chatDelta({}, 'tool_calls'),
  chatUsage(20, 9),
]);

export const MESSAGE_CALLS = toMessageStream([
  {
    type: 'message_start',
    message: {
      id: 'm',
      model: 'x',
      content: [],
      usage: { input_tokens: 30, output_tokens: 1, cache_read_input_tokens: 10 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Looking.' } },
  { type: 'content_block_stop', index: 0 },
  {
    type: 'content_block_start',
    index: 1,
    content_block: { type: 'tool_use', id: 't1', name: 'fs__read', input: {} },
  },
  {
    type: 'content_block_delta',
    index: 1,
    delta: { type: 'input_json_delta', partial_json: '{"path":' },
  },
  {
    type: 'content_block_delta',
    index: 1,
    delta: { type: 'input_json_delta', partial_json: '"a é"}' },
  },
  { type: 'content_block_stop', index: 1 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 12 } },
  { type: 'message_stop' },
] as { type: string }[]);

export const CASES = {
  openai: { reference: 'openai/gpt-test', path: '/v1/chat/completions', calls: CHAT_CALLS },
  anthropic: { reference: 'anthropic/claude-test', path: '/v1/messages', calls: MESSAGE_CALLS },
  openrouter: {
    reference: 'openrouter/openai/gpt-test',
    path: '/v1/chat/completions',
    calls: CHAT_CALLS,
  },
  ollama: { reference: 'ollama/llama-test:8b', path: '/v1/chat/completions', calls: CHAT_CALLS },
  'openai-compatible': {
    reference: 'openai-compatible/local',
    path: '/v1/chat/completions',
    calls: CHAT_CALLS,
  },
} as const;
export type Provider = keyof typeof CASES;
export const PROVIDERS = Object.keys(CASES) as Provider[];

/** A model whose provider is the given responders, over real HTTP and the real SDK, until the test ends. */
export interface ServedModel {
  readonly model: Model;
  readonly server: ProviderServer;
}

export async function openServedModel(
  provider: Provider,
  responders: Respond[],
  config: Partial<ModelsConfig> = {},
): Promise<ServedModel> {
  const server = await openProviderServer(...responders);
  onTestFinished(() => server.close());
  const url = `${server.url}/v1`;
  const models = createModels({
    keys: { openai: KEY, anthropic: KEY, openrouter: KEY, openaiCompatible: KEY },
    baseUrls: {
      openai: url,
      anthropic: server.url,
      openrouter: url,
      ollama: server.url,
      openaiCompatible: url,
    },
    ...config,
  });
  return { model: await models.get(CASES[provider].reference), server };
}

export interface Collected {
  readonly parts: ModelPart[];
  readonly error: RuntimeError | undefined;
}

/** Reads a stream to its end, whichever that is. */
export async function collectParts(
  model: Model,
  request: ModelRequest = ASK,
  signal: AbortSignal = new AbortController().signal,
): Promise<Collected> {
  const parts: ModelPart[] = [];
  try {
    for await (const part of model.stream(request, signal)) parts.push(part);
    return { parts, error: undefined };
  } catch (error) {
    if (!(error instanceof RuntimeError)) throw error;
    return { parts, error };
  }
}

export function toFault(error: RuntimeError | undefined) {
  return (
    error && {
      code: error.code,
      retryable: error.retryable,
      message: error.message,
      details: error.details,
    }
  );
}
