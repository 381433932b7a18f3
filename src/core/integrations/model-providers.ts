import type { Check, PanelStatus } from './panel.ts';

export const MODEL_PROVIDER_IDS = [
  'openai',
  'anthropic',
  'openrouter',
  'openai-compatible',
  'ollama',
] as const;

export type ModelProviderId = (typeof MODEL_PROVIDER_IDS)[number];

/** A provider of models as it is set up. */
export interface ModelProvider {
  readonly id: ModelProviderId;
  /** Without path, user and password; undefined when it is not set up. */
  readonly origin: string | undefined;
  /** The variable, secret or field that its key was found in; undefined when it has none. */
  readonly keyPlace: string | undefined;
  /** What is missing, in words with the next step. */
  readonly missing: string | undefined;
}

/** What a provider said when it was asked. */
export interface ProviderAnswer {
  readonly id: ModelProviderId;
  readonly status: PanelStatus;
  /** With the next step where there is one. */
  readonly message: string;
  /** Undefined when nobody was asked, because something is missing. */
  readonly check: Check | undefined;
}

/** Where models come from, for the people who set them up. */
export interface ModelProviders {
  /** All that are known. Asks none of them. */
  list(): Promise<ModelProvider[]>;
  /** One request with the key that reads and spends nothing, bounded in time. Whatever goes wrong is an answer too. */
  test(id: ModelProviderId): Promise<ProviderAnswer>;
}
