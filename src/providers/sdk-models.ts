import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { Clock } from '../core/clock.ts';
import type { Model } from '../core/loop/model.ts';
import { createAiSdkModel, type SdkConnection } from './ai-sdk-model.ts';
import { type Endpoint, type RemoteProvider, resolveEndpoint } from './endpoint.ts';
import { fetchJoined as fetch } from './fetch-joined.ts';
import { formatModelReference } from './model-reference.ts';
import { DEFAULT_REQUEST_TIMEOUT_MS, type ModelsConfig } from './models-config.ts';

/** Loads the provider's SDK, and only that one, and builds the model. */
export async function createSdkModel(
  reference: { readonly provider: RemoteProvider; readonly name: string },
  config: ModelsConfig,
  clock: Clock,
): Promise<Model> {
  const connect = createConnect(reference, config);
  // Without a key or an address there is no model: better told now than in the middle of a run.
  await connect();
  const isText = config.textToolCalls?.includes(formatModelReference(reference)) ?? false;
  return createAiSdkModel({
    connect,
    provider: reference.provider,
    name: reference.name,
    toolCalls: isText ? 'text' : 'native',
    mayLackTools: reference.provider !== 'openai' && reference.provider !== 'anthropic',
    timeoutMs: config.requestTimeoutMs ?? DEFAULT_REQUEST_TIMEOUT_MS,
    clock,
  });
}

/** The client of the last call, unless the key has changed since: a client keeps the key it was made with. */
function createConnect(
  reference: { readonly provider: RemoteProvider; readonly name: string },
  config: ModelsConfig,
): () => Promise<SdkConnection> {
  let last: SdkConnection | undefined;
  return async () => {
    const endpoint = await resolveEndpoint(reference.provider, config);
    if (last !== undefined && last.endpoint.key === endpoint.key) return { ...last, endpoint };
    last = { endpoint, languageModel: await loadLanguageModel(endpoint, reference.name) };
    return last;
  };
}

/** Addresses and keys are always passed: left out, the SDKs would read the environment behind our configuration. */
async function loadLanguageModel(endpoint: Endpoint, name: string): Promise<LanguageModelV3> {
  const { provider, baseUrl: baseURL, key: apiKey = '' } = endpoint;
  switch (provider) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      // Chat completions, not responses: it is what servers behind OPENAI_BASE_URL speak.
      return createOpenAI({ baseURL, apiKey, fetch }).chat(name);
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ baseURL, apiKey, fetch }).languageModel(name);
    }
    case 'openrouter':
    case 'ollama':
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const settings = { name: provider, baseURL, fetch, includeUsage: true };
      return createOpenAICompatible(apiKey ? { ...settings, apiKey } : settings).chatModel(name);
    }
  }
}
