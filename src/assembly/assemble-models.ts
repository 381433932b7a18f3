import { isDeepStrictEqual } from 'node:util';
import type { LiveConfig } from '../config/live-config.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Clock } from '../core/clock.ts';
import { defined } from '../core/defined.ts';
import type { ModelProviders } from '../core/integrations/model-providers.ts';
import type { ModelPrice } from '../core/loop/answers/price.ts';
import type { Secrets } from '../core/secrets/secrets.ts';
import { createModelProviders } from '../providers/create-model-providers.ts';
import type { ModelsConfig, ProviderKeys } from '../providers/models-config.ts';
import { createModels, type ModelCatalogue } from '../providers/open-models.ts';
import { createKeyFinder } from '../providers/provider-key.ts';

export interface ModelGround {
  readonly live: LiveConfig;
  readonly clock: Clock;
  /** Without one, keys come from the environment and the file alone. */
  readonly secrets?: Pick<Secrets, 'find'> | undefined;
}

/** The models that the configuration in force can reach; a change of it drops the clients that were ready. */
export function createLiveModels(ground: ModelGround): ModelCatalogue {
  const { live, clock } = ground;
  const withKeys = createKeyAdder(ground);
  const make = () => {
    const config = toModelsConfig(live.current());
    return { config, models: createModels(withKeys(config), clock) };
  };
  let source = live.current();
  let made = make();

  function current(): ModelCatalogue {
    if (source !== live.current()) {
      source = live.current();
      if (!isDeepStrictEqual(made.config, toModelsConfig(source))) made = make();
    }
    return made.models;
  }

  return {
    get: (reference) => current().get(reference),
    describe: (reference) => current().describe(reference),
  };
}

/** For the people who set providers up. */
export function createLiveProviders(ground: ModelGround): ModelProviders {
  const withKeys = createKeyAdder(ground);
  const config = () => withKeys(toModelsConfig(ground.live.current()));
  return createModelProviders({ config, clock: ground.clock });
}

/** Keys of the secret store count from the moment they are stored. */
function createKeyAdder({ live, secrets }: ModelGround): (config: ModelsConfig) => ModelsConfig {
  if (secrets === undefined) return (config) => config;
  const keys = createKeyFinder({ given: () => toGivenKeys(live.current()), secrets });
  return (config) => ({ ...config, keys });
}

/** What the providers need of the configuration. */
export function toModelsConfig(loaded: LoadedConfig) {
  const { config, allowScriptedModel, paths } = loaded;
  const { environment, config: inFile } = toGivenKeys(loaded);
  const { providers } = config;
  return {
    default: config.model.default ?? undefined,
    keys: { ...inFile, ...environment },
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
  } satisfies ModelsConfig;
}

/** Keys by where they were found: one in the secret store stands between the two. */
export function toGivenKeys({ credentials: { apiKeys, apiKeysFrom } }: LoadedConfig): {
  readonly environment: ProviderKeys;
  readonly config: ProviderKeys;
} {
  const keysFrom = (place: 'environment' | 'file'): ProviderKeys => ({
    ...(apiKeysFrom.openai === place ? { openai: apiKeys.openai } : {}),
    ...(apiKeysFrom.anthropic === place ? { anthropic: apiKeys.anthropic } : {}),
    ...(apiKeysFrom.openrouter === place ? { openrouter: apiKeys.openrouter } : {}),
    ...(apiKeysFrom.google === place ? { google: apiKeys.google } : {}),
    ...(apiKeysFrom.openai_compatible === place
      ? { openaiCompatible: apiKeys.openai_compatible }
      : {}),
  });
  return { environment: keysFrom('environment'), config: keysFrom('file') };
}

export function toPrices({ config }: LoadedConfig): Record<string, ModelPrice> {
  return Object.fromEntries(
    Object.entries(config.prices).map(([reference, price]) => [
      reference,
      {
        inputPerMillionUsd: price.input_per_million,
        outputPerMillionUsd: price.output_per_million,
        ...defined({ cachedInputPerMillionUsd: price.cached_input_per_million }),
      },
    ]),
  );
}
