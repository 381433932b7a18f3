import type { Clock } from '../core/clock.ts';
import { RuntimeError } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';
import type { Embedder } from '../core/memory/embedder.ts';
import type { RemoteProvider, ServiceKey } from './http/embedding-service.ts';

/** What the configuration says, with nothing filled in. */
export type EmbedderSettings =
  | { readonly provider: 'local'; readonly idleMs: number }
  | {
      readonly provider: RemoteProvider;
      /** Unless given, the provider's usual one. */
      readonly modelName: string | undefined;
      readonly baseUrl: string | undefined;
      readonly timeoutMs: number;
    };

export interface EmbedderDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Throws `provider_misconfigured` when the provider needs one and there is none. */
  readonly findKey: (provider: RemoteProvider) => Promise<ServiceKey | undefined>;
  /** Throws while no provider may be asked. What runs in this process asks nobody. */
  readonly assertMayCall: () => Promise<void>;
}

export interface OpenedEmbedder {
  readonly embedder: Embedder;
  close(): Promise<void>;
}

const LOCAL_MODEL = 'local/use-lite';

const USUAL_MODELS = {
  openai: 'text-embedding-3-small',
  ollama: 'nomic-embed-text',
  google: 'gemini-embedding-001',
  openai_compatible: 'text-embedding-3-small',
} as const satisfies Record<RemoteProvider, string>;

const USUAL_URLS = {
  openai: 'https://api.openai.com/v1',
  ollama: 'http://127.0.0.1:11434',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  openai_compatible: undefined,
} as const satisfies Record<RemoteProvider, string | undefined>;

/** Names what vectors are made with, without loading it. */
export function nameModel(settings: EmbedderSettings): string {
  const { provider } = settings;
  return provider === 'local'
    ? LOCAL_MODEL
    : `${provider}/${settings.modelName ?? USUAL_MODELS[provider]}`;
}

/** Each provider is loaded at its first use. */
export async function openEmbedder(
  settings: EmbedderSettings,
  { clock, logger, findKey, assertMayCall }: EmbedderDeps,
): Promise<OpenedEmbedder> {
  if (settings.provider === 'local') {
    const { createLocalEmbedder } = await import('./local/local-embedder.ts');
    const { idleMs } = settings;
    const embedder = createLocalEmbedder({ model: LOCAL_MODEL, idleMs, clock, logger });
    return { embedder, close: () => embedder.close() };
  }
  const { provider, timeoutMs } = settings;
  const baseUrl = (settings.baseUrl ?? USUAL_URLS[provider])?.replace(/\/+$/, '');
  if (baseUrl === undefined) throw noAddress();
  const { createRemoteEmbedder } = await import('./http/remote-embedder.ts');
  const modelName = settings.modelName ?? USUAL_MODELS[provider];
  const service = { provider, modelName, baseUrl, findKey: () => findKey(provider) };
  const embedder = createRemoteEmbedder({ service, timeoutMs, assertMayCall, clock });
  return { embedder, close: async () => {} };
}

function noAddress(): RuntimeError {
  return new RuntimeError(
    'provider_misconfigured',
    'embeddings of an OpenAI-compatible server need its address: set memory.embedding.base_url, as in http://127.0.0.1:8000/v1, or OPENAI_COMPAT_BASE_URL',
    { details: { variable: 'OPENAI_COMPAT_BASE_URL' } },
  );
}
