import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { Clock } from '../core/clock.ts';
import type { Model } from '../core/loop/model.ts';
import { createAiSdkModel } from './ai-sdk-model.ts';
import { type Endpoint, type RemoteProvider, resolveEndpoint } from './endpoint.ts';
import { formatModelReference } from './model-reference.ts';
import { DEFAULT_REQUEST_TIMEOUT_MS, type ModelsConfig } from './models-config.ts';

/** Loads the provider's SDK, and only that one, and builds the model. */
export async function createSdkModel(
  reference: { readonly provider: RemoteProvider; readonly name: string },
  config: ModelsConfig,
  clock: Clock,
): Promise<Model> {
  const endpoint = resolveEndpoint(reference.provider, config);
  const isText = config.textToolCalls?.includes(formatModelReference(reference)) ?? false;
  return createAiSdkModel({
    languageModel: await loadLanguageModel(endpoint, reference.name),
    name: reference.name,
    endpoint,
    toolCalls: isText ? 'text' : 'native',
    mayLackTools: reference.provider !== 'openai' && reference.provider !== 'anthropic',
    timeoutMs: config.requestTimeoutMs ?? DEFAULT_REQUEST_TIMEOUT_MS,
    clock,
  });
}

/** Addresses and keys are always passed: left out, the SDKs would read the environment behind our configuration. */
async function loadLanguageModel(endpoint: Endpoint, name: string): Promise<LanguageModelV3> {
  const { provider, baseUrl: baseURL, key: apiKey = '' } = endpoint;
  switch (provider) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      // Chat completions, not responses: it is what servers behind OPENAI_BASE_URL speak.
      return createOpenAI({ baseURL, apiKey }).chat(name);
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ baseURL, apiKey }).languageModel(name);
    }
    case 'openrouter':
    case 'ollama':
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const settings = { name: provider, baseURL, includeUsage: true };
      return createOpenAICompatible(apiKey ? { ...settings, apiKey } : settings).chatModel(name);
    }
  }
}
