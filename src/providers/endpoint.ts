import { RuntimeError } from '../core/errors.ts';
import type { ProviderName } from './model-reference.ts';
import type { KeyedProvider, ModelsConfig } from './models-config.ts';
import { findProviderKey, KEY_VARIABLES, requireProviderKey } from './provider-key.ts';

export type RemoteProvider = Exclude<ProviderName, 'offline' | 'scripted'>;

/** Where a provider is reached and with what. */
export interface Endpoint {
  readonly provider: RemoteProvider;
  readonly baseUrl: string;
  readonly key: string | undefined;
  /** The variable a person sets to change the key; undefined where none is used. */
  readonly keyVariable: string | undefined;
  /** Where the key was found; undefined where none is used. */
  readonly keyPlace: string | undefined;
}

const OLLAMA_URL = 'http://127.0.0.1:11434';

/** The provider's address and present key, or `provider_misconfigured` with the variable that is missing. */
export async function resolveEndpoint(
  provider: RemoteProvider,
  config: ModelsConfig,
): Promise<Endpoint> {
  const baseUrl = resolveBaseUrl(provider, config.baseUrls ?? {});
  if (provider === 'ollama') {
    return { provider, baseUrl, key: undefined, keyVariable: undefined, keyPlace: undefined };
  }
  const key = await findEndpointKey(provider, config);
  const keyVariable = KEY_VARIABLES[provider];
  return { provider, baseUrl, key: key?.value, keyVariable, keyPlace: key?.place };
}

function findEndpointKey(provider: KeyedProvider, config: ModelsConfig) {
  // Local servers often want none.
  if (provider === 'openai-compatible') return findProviderKey(provider, config);
  return requireProviderKey(provider, config);
}

type BaseUrls = NonNullable<ModelsConfig['baseUrls']>;

function resolveBaseUrl(provider: RemoteProvider, baseUrls: BaseUrls): string {
  switch (provider) {
    case 'openai':
      return parseBaseUrl(baseUrls.openai ?? 'https://api.openai.com/v1', 'OPENAI_BASE_URL');
    case 'anthropic':
      return toVersionedUrl(
        parseBaseUrl(baseUrls.anthropic ?? 'https://api.anthropic.com', 'ANTHROPIC_BASE_URL'),
      );
    case 'openrouter':
      return parseBaseUrl(
        baseUrls.openrouter ?? 'https://openrouter.ai/api/v1',
        'OPENROUTER_BASE_URL',
      );
    case 'ollama':
      return `${parseBaseUrl(baseUrls.ollama ?? OLLAMA_URL, 'OLLAMA_HOST')}/v1`;
    case 'openai-compatible':
      return parseBaseUrl(requireCompatibleUrl(baseUrls), 'OPENAI_COMPAT_BASE_URL');
  }
}

function requireCompatibleUrl(baseUrls: BaseUrls): string {
  if (baseUrls.openaiCompatible) return baseUrls.openaiCompatible;
  throw new RuntimeError(
    'provider_misconfigured',
    'openai-compatible needs an address: set OPENAI_COMPAT_BASE_URL, as in http://127.0.0.1:8000/v1',
    { details: { variable: 'OPENAI_COMPAT_BASE_URL' } },
  );
}

function parseBaseUrl(text: string, variable: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) {
    return url.href.replace(/\/+$/, '');
  }
  throw new RuntimeError(
    'provider_misconfigured',
    `${variable} is not an http(s) address: set it to one, as in http://127.0.0.1:8000/v1`,
    { details: { variable } },
  );
}

/** Anthropic's own clients take the address without the version, others with it. Both work here. */
function toVersionedUrl(url: string): string {
  return url.endsWith('/v1') ? url : `${url}/v1`;
}
