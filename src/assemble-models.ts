import type { LoadedConfig } from './config/load-config.ts';
import type { ModelPrice } from './core/loop/price.ts';
import type { ModelsConfig } from './providers/models-config.ts';

/** What the providers need of the configuration. */
export function toModelsConfig({
  config,
  credentials,
  allowScriptedModel,
  paths,
}: LoadedConfig): ModelsConfig {
  const { apiKeys } = credentials;
  const { providers } = config;
  return {
    default: config.model.default ?? undefined,
    keys: {
      openai: apiKeys.openai,
      anthropic: apiKeys.anthropic,
      openrouter: apiKeys.openrouter,
      openaiCompatible: apiKeys.openai_compatible,
    },
    baseUrls: {
      openai: providers.openai.base_url,
      anthropic: providers.anthropic.base_url,
      openrouter: providers.openrouter.base_url,
      ollama: providers.ollama.base_url,
      openaiCompatible: providers.openai_compatible.base_url,
    },
    requestTimeoutMs: config.model.request_timeout_ms,
    textToolCalls: config.model.text_tool_call_models,
    allowScripted: allowScriptedModel,
    rootDir: paths.root,
  };
}

export function toPrices({ config }: LoadedConfig): Record<string, ModelPrice> {
  return Object.fromEntries(
    Object.entries(config.prices).map(([reference, price]) => [
      reference,
      {
        inputPerMillionUsd: price.input_per_million,
        outputPerMillionUsd: price.output_per_million,
        ...(price.cached_input_per_million === undefined
          ? {}
          : { cachedInputPerMillionUsd: price.cached_input_per_million }),
      },
    ]),
  );
}
