/** What the composition root hands over; nothing here reads the environment. */
export interface ModelsConfig {
  /** `provider/name`; without it the first provider that can answer is taken. */
  readonly default?: string | undefined;
  /** Given now, or looked up at every use, so that a key that is stored later counts at once. */
  readonly keys?: ProviderKeys | FindProviderKey;
  readonly baseUrls?: ProviderBaseUrls;
  /** Longest silence of a provider: until its answer begins, and between two pieces of it. */
  readonly requestTimeoutMs?: number | undefined;
  /** Whether an unset default may look for a local Ollama. On unless it is false. */
  readonly detectOllama?: boolean | undefined;
  /** References of models that have no tool calls of their own, as far as the operator knows. */
  readonly textToolCalls?: readonly string[] | undefined;
  /** Accepts `scripted/<path>`: for tests of the built program only. */
  readonly allowScripted?: boolean | undefined;
  /** Where a relative script path starts. */
  readonly rootDir?: string | undefined;
}

/** A local Ollama asks for no key. */
export type KeyedProvider = 'openai' | 'anthropic' | 'openrouter' | 'google' | 'openai-compatible';

export interface ProviderKey {
  readonly value: string;
  /** Where it was found, for messages: a variable, a secret or a field. */
  readonly place: string;
}

export type FindProviderKey = (provider: KeyedProvider) => Promise<ProviderKey | undefined>;

export interface ProviderKeys {
  readonly openai?: string | undefined;
  readonly anthropic?: string | undefined;
  readonly openrouter?: string | undefined;
  /** For embeddings only. */
  readonly google?: string | undefined;
  readonly openaiCompatible?: string | undefined;
}

interface ProviderBaseUrls {
  readonly openai?: string | undefined;
  readonly anthropic?: string | undefined;
  readonly openrouter?: string | undefined;
  /** A URL, without the version. */
  readonly ollama?: string | undefined;
  readonly openaiCompatible?: string | undefined;
}

export const DEFAULT_REQUEST_TIMEOUT_MS = 90_000;
